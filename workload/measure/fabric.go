package measure

import (
	"context"

	"github.com/goldwire/goldwire/workload"
)

// Fabric is a network that carries messages. Run sends them from an idle start and returns one result per message, in
// the messages' order. It ends when all have finished or at the network's own limit; a message without a finish then
// has Finished false. Run returns an error for a message that the network cannot carry, for a promise that the network
// broke, and when the context ends.
type Fabric interface {
	Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error)
}
