package claims_test

import (
	"context"
	"math/big"

	"github.com/goldwire/goldwire/claims"
)

// gives is a measurement that always comes out as m.
func gives(m claims.Measurement) func(context.Context, *claims.Run) (claims.Measurement, error) {
	return func(context.Context, *claims.Run) (claims.Measurement, error) { return m, nil }
}

func exact(num, den int64, unit string) claims.Measurement {
	return claims.Measurement{Exact: big.NewRat(num, den), Unit: unit, Detail: "counted"}
}

func approx(value float64, unit string) claims.Measurement {
	return claims.Measurement{Value: value, Unit: unit, Detail: "counted"}
}

// holding is a claim that is complete and holds; each test changes its subject.
func holding(id string) claims.Claim {
	return claims.Claim{
		ID: id, Source: "EDM Table 1", Text: "The transmit path takes two cycles.", Printed: "5.12 ns",
		Judge: claims.Exactly("5.12", "ns"), Measure: gives(exact(128, 25, "ns")), Expect: claims.Holds,
	}
}
