package kit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/schemas"
)

// Settings are the common flags after precedence: flag, then BANDITAUDIT_*, then
// default. What a protocol declares is read where it is used.
type Settings struct {
	Process                     *Process // that they were read in
	Protocol, Out               string
	JSON, Quiet, verbose, Force bool
	Summary                     bool // of results only the short document: --json=summary
	progress                    bool
	Jobs                        int
	MaxMemory                   int64
	Seed                        int64
	SeedGiven                   bool
	Memory                      *memoryWatch
	Look                        layout.Look
}

func readSettings(c *cli.Context, p *Process) (*Settings, error) {
	s := &Settings{
		Process: p, Protocol: c.String("protocol"), Out: c.String("out"),
		Quiet: c.Bool("quiet"), verbose: c.Bool("verbose"), Force: c.Bool("force"),
		progress: p.terminal && !c.Bool("no-progress") && !c.Bool("quiet"),
		Jobs:     c.Int("jobs"), Seed: c.Int64("seed"), SeedGiven: c.IsSet("seed"),
		Look: layout.Look{Width: p.width(), Colour: p.colour && !c.Bool("no-color")},
	}
	if v, ok := c.Generic("json").(*jsonValue); ok {
		s.JSON, s.Summary = v.on, v.summary
	}
	if !c.IsSet("jobs") {
		s.Jobs = runtime.GOMAXPROCS(0)
	}
	if s.Jobs < 1 || s.Jobs > 1024 {
		return nil, Usagef("--jobs is %d, must be between 1 and 1024", s.Jobs)
	}
	var err error
	s.MaxMemory, err = ParseSize(c.String("max-memory"))
	return s, err
}

// sizeUnits are the suffixes of --max-memory, longest first.
var sizeUnits = []struct { //nolint:gochecknoglobals // a constant table
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"kB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"B", 1},
}

// minMemory is what the program needs for itself.
const minMemory = 64 << 20

// ParseSize reads a size such as 512MiB, 4GiB or 1000000.
func ParseSize(text string) (int64, error) {
	number, unit := text, 1.0
	for _, u := range sizeUnits {
		if cut, ok := strings.CutSuffix(text, u.suffix); ok {
			number, unit = cut, u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	size := v * unit
	if err != nil || math.IsNaN(size) || size < minMemory || size > 1<<50 {
		return 0, Usagef("--max-memory is %s, must be a size of at least 64MiB, such as 512MiB or 4GiB", schemas.Quoted(text))
	}
	return int64(size), nil
}

// Needs says what a command cannot do without.
type Needs struct {
	Protocol, Out bool
	Operands      string // in words; "" where the command takes none
	Optional      bool   // operands may be left out
	Fewer         string // what helps, beside --max-memory, where its limit is passed; "": nothing
}

// Action makes an action of a command's own part: settings are read and what
// it needs is there before it runs.
func Action(p *Process, n Needs, run func(c *cli.Context, s *Settings) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		s, err := readSettings(c, p)
		if err != nil {
			return err
		}
		if err = n.check(c, s); err != nil {
			return err
		}
		ctx, cancel := context.WithCancelCause(c.Context)
		defer cancel(nil)
		c.Context = ctx
		s.Memory = watchMemory(s.MaxMemory, func(err error) {
			if n.Fewer != "" {
				err = fmt.Errorf("%w, %s", err, n.Fewer)
			}
			cancel(err)
		})
		defer s.Memory.End()
		err = run(c, s)
		if cause := context.Cause(ctx); err != nil && errors.Is(cause, fault.ErrResource) {
			return cause
		}
		return err
	}
}

func (n Needs) check(c *cli.Context, s *Settings) error {
	name := c.Command.Name
	switch {
	case n.Protocol && s.Protocol == "":
		return Usagef("%s needs a protocol: give -p %s", name, protocolAmong(c.Args().Slice()))
	case n.Out && s.Out == "":
		return Usagef("%s needs an output: give -o", name)
	case n.Operands != "" && !n.Optional && !c.Args().Present():
		return Usagef("%s needs %s", name, n.Operands)
	case n.Operands == "" && c.Args().Present():
		return Usagef("%s takes no argument, got %s", name, schemas.Quoted(c.Args().First()))
	}
	return CheckLocal(s.Out)
}

// CheckLocal refuses an address as the place of an output.
func CheckLocal(out string) error {
	if !files.IsRemote(out) {
		return nil
	}
	return Usagef("%s is an address, and outputs are written to this machine: give a directory or file of it, and copy that: aws s3 cp --recursive DIR ADDRESS", out)
}

// protocolAmong is the operand that looks like a protocol, or FILE.
func protocolAmong(operands []string) string {
	for _, name := range operands {
		if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
			return schemas.Named(name)
		}
	}
	return "FILE"
}

// Warn says on stderr what is not the result.
func (s *Settings) Warn(format string, args ...any) {
	fmt.Fprintln(s.Process.Stderr, s.Process.Program.Name+": warning: "+layout.Printable(fmt.Sprintf(format, args...)))
}

// Step says on stderr, with -v, what is being done.
func (s *Settings) Step(format string, args ...any) {
	if s.verbose {
		fmt.Fprintln(s.Process.Stderr, s.Process.Program.Name+": "+layout.Printable(fmt.Sprintf(format, args...)))
	}
}

// PrintDocument prints a document as JSON with --json, else its summary.
func (s *Settings) PrintDocument(document any, summary func() error) error {
	if s.JSON {
		b, err := schemas.Encode(document)
		if err != nil {
			return err
		}
		_, err = s.Process.Stdout.Write(b)
		return NotWritten(err)
	}
	if s.Quiet {
		return nil
	}
	return NotWritten(summary())
}

// Line prints one line of a summary.
func (s *Settings) Line(format string, args ...any) error {
	if s.Quiet {
		return nil
	}
	_, err := fmt.Fprintf(s.Process.Stdout, format+"\n", args...)
	return NotWritten(err)
}
