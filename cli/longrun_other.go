//go:build !unix

package cli

import "os"

// stateSignal returns nothing: there is no such signal.
func stateSignal() (<-chan os.Signal, func()) { return nil, func() {} }
