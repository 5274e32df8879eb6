package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
)

// WithMemo returns a context in which a point is measured once, whichever claim asks for it: claims share their
// measurements. The memory lasts as long as the context; results are shared and must not be changed.
func WithMemo(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoKey{}, &memo{points: map[string]*measured{}})
}

// Records are results of points that outlast a process: a memory that was stopped goes on with them. They are for the
// same program alone, which the caller sees to.
type Records struct {
	// Known are results of an earlier process by key. The memory only reads them.
	Known map[string]json.RawMessage
	// Keep is called with each new result, from any goroutine, one at a time.
	Keep func(key string, result json.RawMessage)
}

// WithRecords is [WithMemo] with results of an earlier process. A result that does not come back from JSON as it was
// is not kept.
func WithRecords(ctx context.Context, r Records) context.Context {
	return context.WithValue(ctx, memoKey{}, &memo{points: map[string]*measured{}, records: &r})
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

	records *Records   // nil: results last as long as the memory
	keeping sync.Mutex // held while Keep runs
}

// recorded returns the result of a point, from the records or measured now.
func recorded[R any](m *memo, key string, measure func() (R, error)) (R, error) {
	if m.records == nil {
		return measure()
	}
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	var known R
	if text, there := m.records.Known[name]; there && json.Unmarshal(text, &known) == nil {
		return known, nil
	}
	r, err := measure()
	if err != nil {
		return r, err
	}
	var back R
	if text, err := json.Marshal(r); err == nil && json.Unmarshal(text, &back) == nil && reflect.DeepEqual(r, back) {
		m.keeping.Lock()
		defer m.keeping.Unlock()
		m.records.Keep(name, text)
	}
	return r, nil
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
