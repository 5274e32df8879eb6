package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

const modulePath = "github.com/goldwire/goldwire"

// version names the program, its compiler and its platform: "v1.2.3 (go1.26 linux/amd64)". A command of a user's own
// says its module and Goldwire's version as well.
func version() string {
	v, from := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v, from = versionOf(info), originOf(info)
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", v, from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// originOf names the module of a user's own command and the version of Goldwire in it.
func originOf(info *debug.BuildInfo) string {
	for _, dep := range info.Deps {
		if dep.Path == modulePath {
			return fmt.Sprintf("%s, goldwire %s, ", info.Main.Path, plain(dep.Version))
		}
	}
	return ""
}

// plain is a module's version without the brackets of (devel).
func plain(v string) string { return cmp.Or(strings.Trim(v, "()"), "devel") }

// versionOf is the main module's version, with the revision that it was built from.
func versionOf(info *debug.BuildInfo) string {
	v := plain(info.Main.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}
