//go:build !unix

package cli

// room is how many bytes a folder's file system has left: not known here.
func room(string) (bytes uint64, known bool) { return 0, false }
