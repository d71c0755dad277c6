// Command clients audits the logs that testdata/clients/run.sh made, and writes the page
// testdata/clients/CLIENTS.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"banditaudit/testdata/clients/client"
)

func main() {
	protocols := flag.String("protocols", "testdata/clients/cases", "`DIR` of the protocols")
	logs := flag.String("logs", "testdata/clients/logs", "`DIR` of the logs")
	missing := flag.String("missing", "", "libraries that did not install, one a `LINE`")
	out := flag.String("o", "", "`FILE` of the page")
	flag.Parse()
	if err := run(context.Background(), *protocols, *logs, *missing, *out); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, protocols, logs, missing, out string) error {
	cases, err := client.Cases(protocols, logs)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "banditaudit-clients-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	auditor, err := client.Build(ctx, dir)
	if err != nil {
		return err
	}
	auditor.More = []string{"--allow-exec"}
	lines, err := auditor.Lines(ctx, cases, func(l *client.Line) {
		fmt.Fprintf(os.Stderr, "%-36s %s\n", l.Case.Name, l.Honest.Words())
	})
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(client.Page(lines, strings.FieldsFunc(missing, func(r rune) bool { return r == '\n' }))), 0o600)
}
