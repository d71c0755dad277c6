package kit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest/fault"
)

// Program is a set of commands, and what they share.
type Program struct {
	Name, Usage string
	Flags       func(shown string) []cli.Flag      // flags that every command understands; help shows those that are named
	Commands    func(p *Process) []*cli.Command    // made anew for every command line
	Topics      func() []Topic                     // pages of the manual
	Elsewhere   func(word string) string           // where a word is a command, if not here; "": nowhere
	Words       map[string]func([]string) []string // by command: what can follow the words after it, for completion
}

// Process is what a program is given by the operating system, so that tests can give it
// something else.
type Process struct {
	Stdout, Stderr io.Writer
	Now            func() time.Time
	terminal       bool // stderr is a terminal on which progress may be drawn
	colour         bool // stdout is a terminal that has colours
	columns        int  // of the terminal; 0: stdout is none
	Argv           []string
	Program        *Program // that runs; execute sets it
}

// The width of text where nothing says another, and below which none goes.
const (
	UsualWidth = 100
	leastWidth = 60
)

// width returns the width of text in columns: COLUMNS, else the terminal's, else 100; never
// below 60.
func (p *Process) width() int {
	width := p.columns
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if width == 0 {
		width = UsualWidth
	}
	return max(leastWidth, width)
}

// Main runs the command line of the operating system and returns the exit code.
func (g *Program) Main() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// A reader of stdout or stderr that has gone away must not kill the run:
	// its write fails instead, which printing takes for no error.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, Ending()...)
	go func() {
		// The first signal asks the run to end and clean up; a second one,
		// from an impatient user, has its default effect.
		s, ok := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		if ok {
			cancel(&signalError{s})
		}
	}()
	screen := os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb"
	p := &Process{
		Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now, Argv: os.Args,
		terminal: term.IsTerminal(int(os.Stderr.Fd())) && screen,
		colour:   term.IsTerminal(int(os.Stdout.Fd())) && screen,
	}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		p.columns = columns
	}
	return g.Execute(ctx, p, os.Args[1:])
}

// Ending are the signals that ask a run to end and clean up. A hang-up is none where whoever
// started the program has it ignored, as nohup has.
func Ending() []os.Signal {
	out := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// Execute runs one command line and returns the exit code.
func (g *Program) Execute(ctx context.Context, p *Process, args []string) int {
	out := &printing{to: p.Stdout, text: true}
	inside := *p
	inside.Program, inside.Stdout, inside.Stderr = g, out, &printing{to: p.Stderr}
	p = &inside
	err := g.dispatch(ctx, p, args)
	if err == nil {
		err = NotWritten(out.err) // help is printed by a library that says nothing
	}
	code := ExitCode(ctx, err)
	var tripped *GateError
	if err != nil && !errors.As(err, &tripped) {
		fmt.Fprintln(p.Stderr, g.Name+": "+layout.Printable(Message(ctx, err)))
	}
	return code
}

// Message is what stderr says about an error.
func Message(ctx context.Context, err error) string {
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
func (g *Program) dispatch(ctx context.Context, p *Process, args []string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, string(debug.Stack())}
		}
	}()
	app := g.App(p)
	if n := len(args) - 1; n >= 0 && args[n] == AskCompletion {
		return NotWritten(complete(p, app, args[:n]))
	}
	args, err = g.Normalise(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(ctx, append([]string{app.Name}, args...))
}

// App is the program as urfave/cli knows it, for one command line.
func (g *Program) App(p *Process) *cli.App {
	app := &cli.App{
		Name:                      g.Name,
		Usage:                     g.Usage,
		UsageText:                 g.Name + " COMMAND [flags] [arguments]",
		HideVersion:               true,
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true,
		Writer:                    p.Stdout,
		ErrWriter:                 p.Stderr,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              quietUsage,
		Flags:                     []cli.Flag{cli.HelpFlag}, // not added by the library beside a help command of our own
		Commands:                  g.Commands(p),
	}
	for _, c := range app.Commands {
		c.OnUsageError = quietUsage
		c.HideHelpCommand = true
	}
	return app
}

// quietUsage keeps the library from printing help on stdout after a mistake.
func quietUsage(_ *cli.Context, err error, _ bool) error { return Usagef("%s", err.Error()) }
