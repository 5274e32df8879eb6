//go:build !unix

package output

import "os"

// gone cannot be told: nothing is removed.
func gone(int) bool { return false }

func lock(*os.File) bool { return false }
