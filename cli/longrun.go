package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/sweep"
)

// longRun is what the flags for long runs set.
type longRun struct {
	lines bool
	stall string
	debug string

	monitor experiment.Monitor
	sweep   *sweep.Monitor // of a sweep, which has many runs; nil for one run
}

// flags adds them. Only experiments whose simulation can be recorded know whether it moves.
func (l *longRun) flags(cmd *cobra.Command, simulates bool) {
	f := cmd.Flags()
	f.BoolVar(&l.lines, "progress-json", false, "print the state of the run to standard error each second, a line of JSON")
	f.StringVar(
		&l.debug,
		"debug-addr",
		"",
		"serve Go's profiles (net/http/pprof) at this `address` of the loopback, 127.0.0.1:6060 say, while it runs",
	)
	if simulates {
		f.StringVar(
			&l.stall,
			"stall",
			"",
			"end the run when nothing is done for this simulated `time`, 50us say; the fullest queues are named, and "+
				"--on-fault is written",
		)
	}
}

// printState prints the state as a line of JSON.
func (l *longRun) printState(w io.Writer, patience time.Duration) {
	var state any
	if l.sweep != nil {
		state = l.sweep.State(patience)
	} else {
		state = l.monitor.State(patience)
	}
	_ = json.NewEncoder(w).Encode(state) // a run does not end because nobody reads how far it is
}

const (
	eachLine = time.Second
	patience = 2 * time.Second // for queues, which a simulation tells at its next progress
)

// watch begins to watch a run; the function that it returns ends that. The signal SIGUSR1 prints the state, too, with
// the fullest queues.
func (l *longRun) watch(ctx context.Context, w io.Writer) (end func(), err error) {
	if l.stall != "" {
		if l.monitor.Stall, err = clock.ParseTime(l.stall); err != nil || l.monitor.Stall.Cmp(clock.Time{}) <= 0 {
			return nil, fmt.Errorf("--stall %s: want a time above 0, 50us say", experiment.Quote(l.stall))
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	asked, ignore := stateSignal()
	closed, err := l.serve(w)
	if err != nil {
		ignore()
		cancel()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(eachLine)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-asked:
				l.printState(w, patience)
			case <-tick.C:
				if l.lines {
					l.printState(w, 0)
				}
			}
		}
	}()
	return func() {
		ignore()
		cancel()
		<-done
		closed()
		if l.lines {
			l.printState(w, 0)
		}
	}, nil
}

// serve serves profiles to this machine alone.
func (l *longRun) serve(w io.Writer) (closed func(), err error) {
	if l.debug == "" {
		return func() {}, nil
	}
	host, _, err := net.SplitHostPort(l.debug)
	if err != nil || !isLoopback(host) {
		return nil, fmt.Errorf(
			"--debug-addr %s: want an address of the loopback, 127.0.0.1:6060 or [::1]:6060 say",
			experiment.Quote(l.debug),
		)
	}
	listener, err := net.Listen("tcp", l.debug)
	if err != nil {
		return nil, fmt.Errorf("--debug-addr: %w", err)
	}
	mux := profiles()
	server := &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if host, _, err := net.SplitHostPort(r.Host); err != nil ||
				!isLoopback(host) { // a foreign name that was made to lead here
				http.Error(rw, "want an address of the loopback", http.StatusForbidden)
				return
			}
			mux.ServeHTTP(rw, r)
		}),
	}
	fmt.Fprintf(w, "profiles: http://%s/debug/pprof/\n", listener.Addr())
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintf(w, "--debug-addr: %v\n", err)
		}
	}()
	return func() { _ = server.Close() }, nil // the run is over
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
