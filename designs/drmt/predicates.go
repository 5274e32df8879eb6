package drmt

// Predicate is the number of a predicate bit of a packet.
type Predicate uint8

// Always is the predicate that is true for every packet. As a condition's outcome it stands for none.
const Always Predicate = 0

// Predicates are a packet's predicate bits: the results of its conditions and matches, and the operations that it
// reaches. In the paper both branches of a condition run and their effects are committed afterwards (§3.1); it does not
// say how. Predicate bits are our way, for RMT's stages as well.
type Predicates [4]uint64

// Has tells whether a predicate is true.
func (p *Predicates) Has(n Predicate) bool { return p[n>>6]>>(n&63)&1 != 0 }

// Set makes it true.
func (p *Predicates) Set(n Predicate) { p[n>>6] |= 1 << (n & 63) }

// PredicateTerm makes Set true if A and B are. A predicate with several terms is their disjunction.
type PredicateTerm struct {
	A, B, Set Predicate
	Age       uint8 // of the packet, in periods
}

// apply evaluates a term.
func (p *Predicates) apply(t *PredicateTerm) {
	if p.Has(t.A) && p.Has(t.B) {
		p.Set(t.Set)
	}
}
