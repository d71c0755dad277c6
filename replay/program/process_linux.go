package program

import "syscall"

// ownGroup gives a program a process group, and has it die with whoever started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
