// Command calibration tests the data of every policy on every counter where the
// truth is known, and writes the page testdata/reproduce/CALIBRATION.md:
//
//	go run ./testdata/reproduce/calibration -o testdata/reproduce/CALIBRATION.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"banditaudit/testdata/reproduce/calibrate"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "calibration:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var b bytes.Buffer
	if err := calibrate.Page(&b); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
