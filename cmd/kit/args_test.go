package kit

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// fiveCommands is a program of five commands that do nothing.
func fiveCommands() (*Program, *cli.App) {
	flags := func(own ...cli.Flag) []cli.Flag { return append(own, CommonFlags("")...) }
	tableau := &cli.StringFlag{Name: "tableau", Aliases: []string{"t"}}
	commands := func(p *Process) []*cli.Command {
		return []*cli.Command{
			{Name: "audit", Flags: flags()},
			{Name: "analyze", Flags: flags(tableau, &cli.StringFlag{Name: "replay"})},
			{Name: "replay", Flags: flags(tableau)},
			{Name: "help"},
			VersionCommand(p),
		}
	}
	g := &Program{Name: "lab", Flags: CommonFlags, Elsewhere: func(string) string { return "" }, Commands: commands}
	app := g.App(&Process{Program: g, Stdout: io.Discard, Stderr: io.Discard})
	return g, app
}

// TestNormalise: a flag means the same wherever it stands, and what begins
// with "-" and is no flag is refused.
func TestNormalise(t *testing.T) {
	for _, c := range []struct {
		line string // words parted by one space; "" is an empty word
		want string // likewise
		err  string
	}{
		// Before and after the arguments, and before the command.
		{"audit -p P -o D log", "audit -p P -o D -- log", ""},
		{"audit log -p P -o D", "audit -p P -o D -- log", ""},
		{"audit a -p P b -o D c", "audit -p P -o D -- a b c", ""},
		{"-p P audit log -o D", "audit -p P -o D -- log", ""},
		{"-q --out D audit log", "audit -q --out D -- log", ""},
		{"version", "version", ""},
		{"version -q", "version -q", ""},
		// Values: the next word, whatever it looks like, or after "=".
		{"audit --seed -7 log", "audit --seed -7 -- log", ""},
		{"audit log --seed=-7", "audit --seed=-7 -- log", ""},
		{"audit -o -x log", "audit -o -x -- log", ""},
		{"audit -o -- log", "audit -o -- -- log", ""},
		{"audit -o audit log", "audit -o audit -- log", ""},
		{"-p audit audit log", "audit -p audit -- log", ""},
		{"audit -o= log", "audit -o= -- log", ""},
		{"audit -p=a=b log", "audit -p=a=b -- log", ""},
		{"analyze -t T --replay R", "analyze -t T --replay R", ""},
		// Booleans take no next word.
		{"audit --json log", "audit --json -- log", ""},
		{"audit log --json=false", "audit --json=false -- log", ""},
		{"audit --json false", "audit --json -- false", ""},
		{"--json audit log", "audit --json -- log", ""},
		{"-force audit log", "audit -force -- log", ""},
		// "--" ends the flags; a lone "-" is an argument.
		{"audit -q -- -x --json", "audit -q -- -x --json", ""},
		{"audit log -- --", "audit -- log --", ""},
		{"audit -- log", "audit -- log", ""},
		{"audit --", "audit", ""},
		{"audit - log", "audit -- - log", ""},
		{"audit  log", "audit --  log", ""},
		// Help.
		{"--help", "help", ""},
		{"-h", "help", ""},
		{"-p P --help", "help", ""},
		{"-q -h audit", "help", ""},
		{"audit log -h", "help audit", ""},
		{"--version", "version", ""},
		{"-q --version", "version", ""},
		{"help audit", "help -- audit", ""},
		// Refused.
		{"audit -x log", "", "unknown flag -x for audit; an argument that begins with - is written after --"},
		{"audit log -5", "", "unknown flag -5 for audit"},
		{"audit log -j4", "", "unknown flag -j4 for audit"},
		{"audit --outt=D log", "", "unknown flag --outt for audit (did you mean --out?)"},
		{"audit --tableau T log", "", "unknown flag --tableau for audit"},
		{"audit log -o", "", "flag -o needs a value"},
		{"audit log --seed", "", "flag --seed needs a value"},
		{"-x audit log", "", "unknown flag -x before the command"},
		{"--tableau T replay", "", "unknown flag --tableau before the command"},
		{"-- audit", "", "unknown flag -- before the command"},
		{"-p", "", "no command given"},
		{"-p audit", "", "no command given"},
		{"-q", "", "no command given; one of: audit, analyze, replay, help, version; lab --help says more"},
		{"adit log", "", `unknown command "adit" (did you mean audit?)`},
		{"- audit", "", `unknown command "-"`},
	} {
		g, app := fiveCommands()
		got, err := g.Normalise(app, strings.Split(c.line, " "))
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%q: %q, %v; want the error %q", c.line, got, err, c.err)
			}
			if _, usage := errors.AsType[*UsageError](err); !usage {
				t.Errorf("%q: %T is no usage error", c.line, err)
			}
			continue
		}
		if diff := cmp.Diff(strings.Split(c.want, " "), got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", c.line, err, diff)
		}
	}
	g, app := fiveCommands()
	if _, err := g.Normalise(app, nil); ExitCode(t.Context(), err) != ExitUsage {
		t.Errorf("no words: %v", err)
	}
}

// TestNearest hints at what was meant, and at nothing where it is a guess.
func TestNearest(t *testing.T) {
	words := []string{"audit", "ingest", "--out", "--json"}
	for word, want := range map[string]string{
		"adit": "audit", "audti": "audit", "ingets": "ingest", "--outt": "--out", "--jsn": "--json",
		"-x": "", "aud": "", "simulate": "", "zzzz": "",
	} {
		if want != "" {
			want = " (did you mean " + want + "?)"
		}
		if got := nearest(word, words); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
