package vectors

// Mutants counts faults planted in a unit's reference RTL, and whether a set's rows show each of them.
type Mutants struct {
	// Reference says which RTL has the faults, in a set of vectors: written by hand, or made of the model.
	Reference string `json:"reference,omitempty"`

	Of     int          `json:"of"`
	Killed int          `json:"killed"`       // an output that counts differs in some row
	Equal  int          `json:"proved_equal"` // no inputs show a difference
	Open   []OpenMutant `json:"open"`         // neither
	// Directed is how many rows at the end are not of the unit's stimulus but added: inputs that are held, or that a
	// solver found.
	Directed int `json:"directed_cycles"`

	// Of foreign RTL: text that Yosys, which plants the faults, and simulators read differently; and
	// reasons to trust the counts less.
	Given    []string `json:"given,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// OpenMutant is a mutant that the rows do not show and that is not proved equal to the reference.
type OpenMutant struct {
	Mutant string `json:"mutant"` // the place in the RTL, the fault, the bit
	Reason string `json:"reason"`
}
