// Command mechanisms runs every policy on every counter and writes the table
// of testdata/reproduce/MECHANISMS.md:
//
//	go run ./testdata/reproduce/mechanisms -o testdata/reproduce/MECHANISMS.md
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"banditaudit/testdata/reproduce"
)

func main() {
	reproduce.Command("mechanisms", func(w io.Writer) error {
		return reproduce.Table(w, reproduce.Machine{Date: time.Now().UTC().Format(time.DateOnly), Class: class()})
	})
}

// class says on what kind of machine the time was taken.
func class() string {
	model := ""
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				model = strings.TrimLeft(strings.TrimSpace(name), ": \t") + ", "
				break
			}
		}
	}
	return fmt.Sprintf("%s%d processors, %s/%s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
