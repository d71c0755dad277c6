package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/command"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(programOf(os.Args[1:]).Main())
	}
	if os.Getenv(asSignals) != "" {
		fmt.Println(kit.Ending()) //nolint:forbidigo // this process prints that and nothing else
		os.Exit(0)
	}
	testscript.Main(m, map[string]func(){
		"banditaudit": func() { os.Exit(banditaudit(known()).Main()) },
		"banditlab":   func() { os.Exit(command.New().Main()) },
	})
}

// TestScripts runs the command line as a user would. Each script states the
// exit codes that `help exit-codes` gives.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOMEPAGE", filepath.Join(root, "testdata", "homepage"))
			env.Setenv("CI", "true")
			env.Setenv("COLUMNS", "1000") // patterns are of whole lines
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"valid":  validResults,
			"alter":  alterCommand,
			"reward": rewardCommand,
			"drop":   dropCommand,
			"cut":    cutCommand,
			"only":   onlyEntries,
		},
	})
}

// exits runs "exits CODE program args…" and compares the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// validResults checks results.json against its schema.
func validResults(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: valid FILE")
	}
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(analyze.Standard().Format().ValidateResults(b))
}

// onlyEntries asserts that a directory holds the named entries and nothing
// else: a failed run leaves nothing behind.
func onlyEntries(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: only DIR [NAME…]")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(args[1:], " ") {
		ts.Fatalf("%s holds %q, want %q", args[0], got, args[1:])
	}
}

// run executes one command line in this process. Tests that call run are not parallel: urfave/cli
// writes to its own package variables (HelpFlag, VersionFlag) in every run.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &kit.Process{Stdout: &out, Stderr: &errs, Now: time.Now, Argv: append([]string{"banditaudit"}, args...)}
	code = programOf(args).Execute(context.Background(), p, args)
	return code, out.String(), errs.String()
}

// programOf is banditaudit, or banditlab where the first word of a command line is a command
// of that.
func programOf(args []string) *kit.Program {
	if len(args) > 0 && slices.Contains([]string{"simulate", "plan", "reproduce"}, args[0]) {
		return command.New()
	}
	return banditaudit(known())
}

// appOf is banditaudit as urfave/cli knows it, which prints to w.
func appOf(w io.Writer) (*kit.Program, *cli.App) {
	g := banditaudit(known())
	app := g.App(&kit.Process{Program: g, Stdout: w, Stderr: w})
	return g, app
}

func readResults(t *testing.T, path string) *schemas.Results {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err = analyze.Standard().Format().ValidateResults(b); err != nil {
		t.Fatal(err)
	}
	var r schemas.Results
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}
