// Command mechanisms runs every policy on every counter and writes the table
// of testdata/reproduce/MECHANISMS.md:
//
//	go run ./testdata/reproduce/mechanisms -o testdata/reproduce/MECHANISMS.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"banditaudit/testdata/reproduce"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "mechanisms:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var b bytes.Buffer
	on := reproduce.Machine{Date: time.Now().UTC().Format(time.DateOnly), Class: class()}
	if err := reproduce.Table(&b, on); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
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
