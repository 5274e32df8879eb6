package study

import "github.com/goldwire/goldwire/claims"

// Claims returns what the paper says in figures.
func Claims() []claims.Claim { return claims.AtPoints(networkClaims(), points...) }
