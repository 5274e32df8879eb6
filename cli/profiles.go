package cli

import (
	"fmt"
	"io"
	"net/http"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	profilesPath   = "/debug/pprof/"
	profileSeconds = 30  // of a profile by time, if none are asked for
	longestProfile = 600 // seconds
)

// profiles serves what go tool pprof and go tool trace ask for, under the paths of net/http/pprof. That package is not
// imported: it puts its handlers into the default mux of each program that imports this one.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(profilesPath+"{name}", func(w http.ResponseWriter, r *http.Request) {
		p := pprof.Lookup(r.PathValue("name"))
		debug, err := number(r, "debug", 0, 2)
		switch {
		case p == nil:
			http.Error(w, "no such profile; "+profilesPath+" lists them", http.StatusNotFound)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		default:
			if debug == 0 {
				w.Header().Set("Content-Type", "application/octet-stream")
			} else {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			}
			_ = p.WriteTo(w, debug) // the client is gone
		}
	})
	mux.HandleFunc(profilesPath+"profile", during(pprof.StartCPUProfile, pprof.StopCPUProfile))
	mux.HandleFunc(profilesPath+"trace", during(trace.Start, trace.Stop))
	mux.HandleFunc(profilesPath+"{$}", func(w http.ResponseWriter, _ *http.Request) {
		names := []string{"profile", "trace"}
		for _, p := range pprof.Profiles() {
			names = append(names, p.Name())
		}
		slices.Sort(names)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>profiles</title>\n%s", links(names))
	})
	return mux
}

// during records for as many seconds as are asked for.
func during(start func(io.Writer) error, stop func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seconds, err := number(r, "seconds", profileSeconds, longestProfile)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if err := start(w); err != nil { // one is under way
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		defer stop()
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-r.Context().Done():
		}
	}
}

// number is a whole number in the query, at most highest.
func number(r *http.Request, key string, otherwise, highest int) (int, error) {
	text := r.FormValue(key)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > highest {
		return 0, fmt.Errorf("%s=%.40q: want a whole number, at most %d", key, text, highest)
	}
	return n, nil
}

// links is a list of links to names.
func links(names []string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "<a href=\"%s?debug=1\">%s</a><br>\n", n, n)
	}
	return b.String()
}
