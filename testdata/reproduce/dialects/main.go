// Command dialects audits honest logs of policies as libraries and platforms run them, and
// logs that are declared by another law, and writes the page
// testdata/reproduce/DIALECTS.md:
//
//	go run ./testdata/reproduce/dialects -o testdata/reproduce/DIALECTS.md
//
// The page is the same whatever the number of processors (-j).
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"time"

	"banditaudit/testdata/reproduce"
	"banditaudit/testdata/reproduce/dialect"
)

func main() {
	only := flag.String("settings", "", "only settings whose name fits this `REGEXP`")
	logs := flag.Int("logs", dialect.Logs, "honest logs of each setting")
	jobs := flag.Int("j", runtime.NumCPU(), "how many logs are audited at once")
	reproduce.Command("dialects", func(w io.Writer) error {
		runtime.GOMAXPROCS(*jobs)
		fits, err := regexp.Compile(*only)
		if err != nil {
			return fmt.Errorf("-settings: %w", err)
		}
		began := time.Now()
		if err := dialect.Page(w, &dialect.Options{Logs: *logs, Only: fits, Said: os.Stderr}); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%.1f minutes, %d logs at once\n", time.Since(began).Minutes(), runtime.GOMAXPROCS(0))
		return nil
	})
}
