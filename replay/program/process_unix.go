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

// waiting reads what can be read from a pipe at once, at most as much as fits into room.
func waiting(f *os.File, room []byte) []byte {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	n := 0
	_ = raw.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), room) // nothing, where there is nothing yet; an end is met again
		return true
	})
	return room[:max(0, n)]
}
