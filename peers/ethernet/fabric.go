package ethernet

import (
	"context"

	"github.com/goldwire/goldwire/workload"
)

// Fabric is a network that carries messages: a measure.Fabric. Each run is of a network of its own, whose links are
// locked.
type Fabric struct{ Config Config }

// Run sends messages through the network. All of them finish, or it is an error.
func (f Fabric) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	n, err := NewNetwork(f.Config)
	if err != nil {
		return nil, err
	}
	done, err := n.Run(ctx, messages)
	if err != nil {
		return nil, err
	}
	results := make([]workload.Result, len(messages))
	for i, m := range messages {
		results[i] = workload.Result{Message: m, Finished: true, Finish: done[i].Done}
	}
	return results, nil
}
