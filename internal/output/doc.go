// Package output writes files that are there whole or not at all, and looks at the paths of a run before the run.
//
// A regular file is written beside its place and renamed into it by [File.Commit]; until then, and after
// [File.Discard], the earlier file is still there. A symbolic link stays, and its target is replaced. A device, a FIFO
// or a socket is written through: it is never replaced by a file.
//
// It works on every system that Go runs on.
package output
