// Command dialects audits honest logs of policies as libraries and platforms run them, and
// logs that are declared by another law, and writes the page
// testdata/reproduce/DIALECTS.md:
//
//	go run ./testdata/reproduce/dialects -o testdata/reproduce/DIALECTS.md
//
// The page is the same whatever the number of processors (-j).
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"

	"banditaudit/testdata/reproduce/dialect"
)

func main() {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	only := flag.String("settings", "", "only settings whose name fits this `REGEXP`")
	logs := flag.Int("logs", dialect.Logs, "honest logs of each setting")
	jobs := flag.Int("j", runtime.NumCPU(), "how many logs are audited at once")
	flag.Parse()
	runtime.GOMAXPROCS(*jobs)
	if err := run(*out, *only, *logs); err != nil {
		fmt.Fprintln(os.Stderr, "dialects:", err)
		os.Exit(1)
	}
}

func run(out, only string, logs int) error {
	fits, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-settings: %w", err)
	}
	var b bytes.Buffer
	began := time.Now()
	if err := dialect.Page(&b, &dialect.Options{Logs: logs, Only: fits, Said: os.Stderr}); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%.1f minutes, %d logs at once\n", time.Since(began).Minutes(), runtime.GOMAXPROCS(0))
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
