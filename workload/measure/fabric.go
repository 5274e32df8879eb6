package measure

import (
	"context"

	"github.com/goldwire/goldwire/workload"
)

// Fabric is a network that carries messages. Run sends them from an idle start and returns what became of each, in their order. It
// ends when all have finished or when the network's own limit comes; the results of what has not finished say so. An error is a
// message that the network cannot carry, a promise that the network broke, or the context's.
type Fabric interface {
	Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error)
}
