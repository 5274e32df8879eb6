//go:build !unix

package cli

import "context"

// watch has nothing to do where a write to a pipe that nobody reads is an error like others.
func (o *outlet) watch(context.Context) {}
