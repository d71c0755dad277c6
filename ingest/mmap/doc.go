// Package mmap offers the bytes of a file as a slice, read-only, and turns
// the memory fault that follows when such a file is cut into an error.
//
// Where the system maps files, the bytes are pages of its cache: nothing is
// copied and no memory of the process is taken. What maps a file gives up one
// safety of reading it: where a page cannot be had, because another program
// has cut the file or its disk fails, the access itself fails. Guard is put
// around code that reads the bytes; Copy and ReadAt have it built in.
//
// The bytes may change while they are looked at, if another program writes to
// the file. Code that checks a value of them and then relies on the check must
// have copied the value first, or look at the end whether the file is Unchanged.
package mmap
