package mmap

import (
	"errors"
	"runtime/debug"
	"unsafe"
)

// ErrFault is returned where bytes of a mapped file could not be read: the file
// was cut while it was mapped, or its disk failed.
var ErrFault = errors.New("the file was cut or became unreadable while it was being read")

// Guard runs read and turns a memory fault within data into ErrFault, which it
// returns in place of read's own error. Every other panic goes on. A guard
// holds for the goroutine that called it only; a goroutine that read starts
// needs one of its own. It costs some 20 ns, so put it around a loop, not
// inside.
func Guard(data []byte, read func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if p := recover(); p != nil {
			if !within(data, p) {
				panic(p)
			}
			err = ErrFault
		}
	}()
	return read()
}

// within reports whether a recovered value is a memory fault within data.
func within(data []byte, p any) bool {
	fault, ok := p.(interface{ Addr() uintptr })
	if !ok || len(data) == 0 {
		return false
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(data))) //nolint:gosec // compared with a fault's address, never followed
	return fault.Addr() >= start && fault.Addr()-start < uintptr(len(data))
}

// bytesOf is the memory of words.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words)) //nolint:gosec // the same memory, by bytes
}
