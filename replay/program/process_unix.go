//go:build unix

package program

import (
	"os"
	"syscall"
)

// killGroup kills the process group that a process leads. That there is none is well.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}
