package experiment

import (
	"context"
	"errors"
	"sync"
)

// WithMemo returns a context in which a point is measured once, whichever claim asks for it: claims share their
// measurements. The memory lasts as long as the context; results are shared and must not be changed.
func WithMemo(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoKey{}, &memo{points: map[string]*measured{}})
}

type memoKey struct{}

func memoOf(ctx context.Context) *memo {
	m, _ := ctx.Value(memoKey{}).(*memo)
	return m
}

// memo has the results of points by their keys.
type memo struct {
	mu     sync.Mutex
	points map[string]*measured
}

type measured struct {
	done  chan struct{} // closed when value and err are there
	value any
	err   error
}

// do returns what measure returns for the key, now or when it was called first. The second caller waits. A failure is
// not kept.
func (m *memo) do(ctx context.Context, key string, measure func() (any, error)) (any, error) {
	for {
		m.mu.Lock()
		p, there := m.points[key]
		if !there {
			p = &measured{done: make(chan struct{}), err: errors.New("the measurement of this point did not return")}
			m.points[key] = p
			m.mu.Unlock()
			func() {
				defer func() {
					if p.err != nil {
						m.mu.Lock()
						delete(m.points, key)
						m.mu.Unlock()
					}
					close(p.done)
				}()
				p.value, p.err = measure()
			}()
			return p.value, p.err
		}
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.done:
		}
		// the first caller may have been cancelled, which is no answer for others
		if !errors.Is(p.err, context.Canceled) && !errors.Is(p.err, context.DeadlineExceeded) {
			return p.value, p.err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}
