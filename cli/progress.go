package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows a long run's share done, its cycles a second and the time left, if a person watches.
type progress struct {
	bar   *progressbar.ProgressBar // nil if nobody does
	start time.Time
}

func newProgress(w io.Writer, total int, what string) *progress {
	p := &progress{start: time.Now()}
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
			progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond))
	}
	return p
}

// at shows how much is done, and the speed of the simulation if there is one.
func (p *progress) at(done int, cycles uint64) {
	if p.bar == nil {
		return
	}
	if s := time.Since(p.start).Seconds(); cycles > 0 && s > 0 {
		p.bar.Describe(fmt.Sprintf("%.1f M cycles/s", float64(cycles)/s/1e6))
	}
	_ = p.bar.Set(done) // the bar is for the eye only
}

// of says how much there is in all, where that has grown. A bar that was full begins anew, since it shows nothing more.
func (p *progress) of(total int) {
	if p.bar != nil && p.bar.GetMax() != total {
		p.bar.Reset()
		p.bar.ChangeMax(total)
	}
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
