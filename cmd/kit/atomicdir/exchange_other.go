//go:build !linux && !darwin

package atomicdir

import "errors"

// Exchange is not known here.
func Exchange(string, string) error { return errors.ErrUnsupported }
