// Command truths audits worlds in which an audit could say something false, and
// honest logs, and writes the page testdata/reproduce/TRUTH.md:
//
//	go run ./testdata/reproduce/truths -o testdata/reproduce/TRUTH.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"banditaudit/testdata/reproduce/truth"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "truths:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var b bytes.Buffer
	if err := truth.Page(&b); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
