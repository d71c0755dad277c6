//go:build !linux && !darwin

package partial

import "errors"

// Exchange is not known here.
func Exchange(string, string) error { return errors.ErrUnsupported }
