package study

//go:generate go run github.com/goldwire/goldwire/cmd/goldwire fuse pcs --dir ..

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"

	"github.com/goldwire/goldwire/pcs"
)

// Design returns the package's entry in the command's catalogue.
func Design() design.Design {
	return design.Design{Name: "pcs", Title: "The 64b/66b PCS of IEEE 802.3 Clause 49", Units: pcs.Units(),
		Tops:        vectors.Catalogue{pcs.EndpointUnit()},
		Properties:  pcs.Properties(),
		Experiments: []experiment.Experiment{loopExperiment},
		Fused:       []design.Fused{{Name: "loop", Package: "github.com/goldwire/goldwire/pcs", Build: loopToFuse}}}
}

// loopToFuse is a loop as any other, with frames to send and bit errors.
func loopToFuse(cfg rtl.Config) (*rtl.Sim, error) {
	l, err := pcs.NewLoop(pcs.LoopConfig{Width: 64, Skew: 3, BER: 1e-5, Sim: cfg})
	if err != nil {
		return nil, err
	}
	for _, size := range []int{90, 1, 61} {
		frame := make([]byte, size)
		for i := range frame {
			frame[i] = byte(i * i)
		}
		l.Send([][]byte{frame})
	}
	l.Source.Repeat = 1 << 20
	return l.Sim, nil
}
