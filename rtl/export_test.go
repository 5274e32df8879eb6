package rtl

// CallAll calls functions one after another.
var CallAll = callAll

// FunctionsOf returns what is called for each of several lists of calls.
func FunctionsOf(lists ...[]FusedCall) (functions [][]func()) {
	made := fusedFuncs{}
	for _, calls := range lists {
		functions = append(functions, made.of(calls))
	}
	return functions
}
