//go:build unix

package answers

import (
	"os"
	"syscall"
)

// peak is the largest resident memory of a command that has ended, in KiB.
func peak(ended *os.ProcessState) float64 {
	if usage, ok := ended.SysUsage().(*syscall.Rusage); ok {
		return float64(usage.Maxrss)
	}
	return 0
}
