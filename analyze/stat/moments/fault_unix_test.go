//go:build unix

package moments

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// A mapped file that is cut while it is read faults inside the assembly. The
// fault must be a panic that the reader of the tableau can recover from.
func TestFaultInKernel(t *testing.T) {
	const rows = 4096
	path := filepath.Join(t.TempDir(), "column")
	if err := os.WriteFile(path, make([]byte, rows*8), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, rows*8, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	mapped := unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), rows)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("reading beyond the end of the file must panic")
		}
	}()
	NewCross(1).AddBlock([][]float64{mapped}, make([]float64, rows), nil)
}
