package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/ingest/fault"
)

// process is what the program is given by the operating system, so that tests
// can give it something else.
type process struct {
	stdout, stderr io.Writer
	now            func() time.Time
	terminal       bool // stderr is a terminal on which progress may be drawn
	colour         bool // stdout is a terminal that has colours
	columns        int  // of the terminal; 0: stdout is none
	argv           []string
	catalogue      *catalogue // what a protocol may name. Defaults to known().
}

// The width of text where nothing says another, and below which none goes.
const (
	usualWidth = 100
	leastWidth = 60
)

// width returns the width of text in columns: COLUMNS, else the terminal's, else 100; never
// below 60.
func (p *process) width() int {
	width := p.columns
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if width == 0 {
		width = usualWidth
	}
	return max(leastWidth, width)
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, p *process, args []string) int {
	out := &printing{to: p.stdout, text: true}
	inside := *p
	inside.stdout, inside.stderr = out, &printing{to: p.stderr}
	p = &inside
	err := dispatch(ctx, p, args)
	if err == nil {
		err = notWritten(out.err) // help is printed by a library that says nothing
	}
	code := exitCode(ctx, err)
	var tripped *gateError
	if err != nil && !errors.As(err, &tripped) {
		fmt.Fprintln(p.stderr, "banditaudit: "+terminal.Printable(message(ctx, err)))
	}
	return code
}

// message is what stderr says about an error.
func message(ctx context.Context, err error) string {
	var sig *signalError
	if errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &sig) {
		if left, ok := errors.AsType[*recordedError](err); ok {
			return fmt.Sprintf("%s: no output was written, only %s, the record of this run", sig.signal, left.record)
		}
		return sig.Error()
	}
	if cause := context.Cause(ctx); errors.Is(err, context.Canceled) && errors.Is(cause, fault.ErrResource) {
		return cause.Error()
	}
	if mend := isExhausted(err); mend != "" {
		return err.Error() + "\n" + mend
	}
	return err.Error()
}

// dispatch parses and runs a command; a panic comes back as an error.
func dispatch(ctx context.Context, p *process, args []string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, string(debug.Stack())}
		}
	}()
	app := newApp(p)
	if n := len(args) - 1; n >= 0 && args[n] == askCompletion {
		return notWritten(complete(p, app, args[:n]))
	}
	args, err = normalise(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(ctx, append([]string{app.Name}, args...))
}

func newApp(p *process) *cli.App {
	p.catalogue = cmp.Or(p.catalogue, known())
	app := &cli.App{
		Name:                      "banditaudit",
		Usage:                     "audit logged bandit experiments: bias bounds, privacy accounting, corrected p-values",
		UsageText:                 "banditaudit COMMAND [flags] [arguments]",
		HideVersion:               true,
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true,
		Writer:                    p.stdout,
		ErrWriter:                 p.stderr,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              quietUsage,
		Flags:                     []cli.Flag{cli.HelpFlag}, // not added by the library beside a help command of our own
		Commands: []*cli.Command{
			auditCommand(p), censusCommand(p), mergeCommand(p), ingestCommand(p), replayCommand(p), analyzeCommand(p), reportCommand(p),
			simulateCommand(p), planCommand(p), reproduceCommand(p), validateCommand(p), initCommand(p), explainCommand(p),
			verifyCommand(p), diffCommand(p), signCommand(p), keygenCommand(p), commitCommand(p), schemaCommand(p), helpCommand(p), versionCommand(p), completionCommand(p),
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = quietUsage
		c.HideHelpCommand = true
	}
	return app
}

// quietUsage keeps the library from printing help on stdout after a mistake.
func quietUsage(_ *cli.Context, err error, _ bool) error { return usagef("%s", err.Error()) }

// variable is the environment variable of a flag.
func variable(name string) []string { return []string{"BANDITAUDIT_" + name} }

// commonFlags are understood by every command. The help of a command shows those
// that mean something to it.
func commonFlags(shown string) []cli.Flag {
	hidden := func(name string) bool { return !slices.Contains(strings.Fields(shown), name) }
	return []cli.Flag{
		&cli.StringFlag{Name: "protocol", Hidden: hidden("protocol"), Aliases: []string{"p"}, EnvVars: variable("PROTOCOL"), Usage: "protocol `FILE` (YAML)"},
		&cli.StringFlag{Name: "out", Hidden: hidden("out"), Aliases: []string{"o"}, EnvVars: variable("OUT"), Usage: "`PLACE` of the output"},
		jsonFlag{&cli.GenericFlag{Name: "json", Hidden: hidden("json"), EnvVars: variable("JSON"), Value: &jsonValue{}, Usage: "print one JSON document on stdout instead of the summary; of results, --json=summary: one of at most 10 kB"}},
		&cli.BoolFlag{Name: "quiet", Hidden: hidden("quiet"), Aliases: []string{"q"}, EnvVars: variable("QUIET"), Usage: "no summary, no hints"},
		&cli.BoolFlag{Name: "verbose", Hidden: hidden("verbose"), Aliases: []string{"v"}, EnvVars: variable("VERBOSE"), Usage: "say on stderr what is being done"},
		&cli.BoolFlag{Name: "no-color", Hidden: true, EnvVars: variable("NO_COLOR"), Usage: "no colour, of which there is none"},
		&cli.BoolFlag{Name: "no-progress", Hidden: hidden("no-progress"), EnvVars: variable("NO_PROGRESS"), Usage: "no progress line"},
		&cli.IntFlag{Name: "jobs", Hidden: hidden("jobs"), Aliases: []string{"j"}, EnvVars: variable("JOBS"), DefaultText: "all processors", Usage: "`N` workers; results do not depend on it"},
		&cli.StringFlag{Name: "max-memory", Hidden: hidden("max-memory"), EnvVars: variable("MAX_MEMORY"), Value: "512MiB", Usage: "bound on the tool's own memory, `SIZE` such as 512MiB or 4GiB"},
		&cli.BoolFlag{Name: "force", Hidden: hidden("force"), EnvVars: variable("FORCE"), Usage: "replace an existing output"},
		&cli.StringFlag{Name: "keep-tableau", Hidden: hidden("keep-tableau"), EnvVars: variable("KEEP_TABLEAU"), Usage: "keep the tableau in `DIR` (it holds every reward)"},
		&cli.Int64Flag{Name: "seed", Hidden: hidden("seed"), EnvVars: variable("SEED"), Usage: "seed `N` of whatever the tool itself draws"},
		&cli.BoolFlag{Name: "allow-exec", Hidden: hidden("allow-exec"), EnvVars: variable("ALLOW_EXEC"), Usage: "run the policy of the protocol where it is a program (policy.exec); nothing is run without it"},
		&cli.StringFlag{Name: "fail-on", Hidden: hidden("fail-on"), EnvVars: variable("FAIL_ON"), Value: "incomplete", Usage: "exit with 1 or 3 from `WORD` on: violated, incomplete, caution or never"},
	}
}

// flags are the common flags, with the names of those that the help shows, and a
// command's own.
func flags(shown string, own ...cli.Flag) []cli.Flag { return append(own, commonFlags(shown)...) }
