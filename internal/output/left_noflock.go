//go:build solaris || aix

package output

import (
	"errors"
	"os"
)

func tryLock(*os.File) error { return errors.ErrUnsupported }
