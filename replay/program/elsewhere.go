//go:build !unix

package program

import (
	"os"
	"syscall"
)

// ownGroup is nothing where there are no process groups.
func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup kills the process alone.
func killGroup(p *os.Process) { _ = p.Kill() }

// resident looks at nothing here.
type resident struct{}

func newResident(int) resident { return resident{} }

func (resident) bytes() int64 { return 0 }
