// Command faults audits logs of bandits that did something else than was
// declared, and clean ones, and writes the page testdata/reproduce/FAULTS.md:
//
//	go run ./testdata/reproduce/faults -o testdata/reproduce/FAULTS.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"banditaudit/testdata/reproduce/convict"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var b bytes.Buffer
	if err := convict.Page(&b); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
