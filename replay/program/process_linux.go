package program

import "syscall"

// ownGroup gives a program a session, and with it a process group, which nobody outside can
// join, and has it die with whoever started it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}
