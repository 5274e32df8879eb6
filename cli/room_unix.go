//go:build unix

package cli

import "golang.org/x/sys/unix"

// room is how many bytes a folder's file system has left, and whether that is known.
func room(folder string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil || s.Bsize <= 0 {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
