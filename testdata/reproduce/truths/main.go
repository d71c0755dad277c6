// Command truths audits worlds in which an audit could say something false, and
// honest logs, and writes the page testdata/reproduce/TRUTH.md:
//
//	go run ./testdata/reproduce/truths -o testdata/reproduce/TRUTH.md
//
// With -tests it writes the section on the default test alone.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"

	"banditaudit/testdata/reproduce/truth"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	tests := flag.Bool("tests", false, "only the tables from which the default tests were chosen")
	flag.Parse()
	page := truth.Page
	if *tests {
		page = truth.Tests
	}
	if err := run(*out, page); err != nil {
		fmt.Fprintln(os.Stderr, "truths:", err)
		os.Exit(1)
	}
}

func run(out string, page func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := page(&b); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
