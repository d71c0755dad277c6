// Package programtest is for tests: a test binary plays the program that a policy can be.
package programtest

import (
	"bufio"
	"os"
	"testing"
)

// asProgram is the first argument of a binary that is to play the program.
const asProgram = "as-program"

// Main is what a TestMain does: the tests, or act where the binary was started by Argv.
func Main(m *testing.M, act func(args []string)) {
	if len(os.Args) > 2 && os.Args[1] == asProgram {
		act(os.Args[2:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Argv starts the test binary as the program, with arguments for act, of which there is
// one at least.
func Argv(args ...string) []string { return append([]string{os.Args[0], asProgram}, args...) }

// Lines writes an answer for every line of the standard input, until that ends or an answer
// is nil.
func Lines(answer func(line []byte) []byte) {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		out := answer(line)
		if out == nil {
			return
		}
		_, _ = os.Stdout.Write(append(out, '\n')) // nobody is left to tell
	}
}
