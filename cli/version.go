package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

const modulePath = "github.com/goldwire/goldwire"

// version says which goldwire this is, and what it was built with and for: "v1.2.3 (go1.26 linux/amd64)".
func version() string {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = versionOf(info)
	}
	return fmt.Sprintf("%s (%s %s/%s)", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionOf finds this module's version: the main module's, or that of a dependency where a user's own command is built.
func versionOf(info *debug.BuildInfo) string {
	module := &info.Main
	for _, dep := range info.Deps {
		if dep.Path == modulePath {
			module = dep
		}
	}
	v := strings.Trim(module.Version, "()") // (devel)
	if v == "" {
		v = "devel"
	}
	if module != &info.Main {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}
