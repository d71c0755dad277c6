package extsort

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless opens a temporary file that never has a name, so that nothing is left
// of it at whatever moment the program is killed. Not all file systems can.
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
