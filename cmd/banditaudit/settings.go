package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/schemas"
)

// settings are the common flags after precedence: flag, then BANDITAUDIT_*,
// then default. What a protocol declares is read where it is used.
type settings struct {
	protocol, out, keepTableau, failOn string
	json, quiet, verbose, force        bool
	summary                            bool // of results only the short document: --json=summary
	progress, allowExec                bool
	openLineage                        bool        // audit writes openlineage.json too
	commitment                         *commitment // that audit holds the protocol against; nil: none
	log                                *givenLog   // whose part is audited, or merged; nil: the operands are all
	jobs                               int
	maxMemory                          int64
	seed                               int64
	seedGiven                          bool
	memory                             *memoryWatch
	look                               terminal.Look
}

func readSettings(c *cli.Context, p *process) (*settings, error) {
	s := &settings{
		protocol: c.String("protocol"), out: c.String("out"), keepTableau: c.String("keep-tableau"), failOn: c.String("fail-on"),
		quiet: c.Bool("quiet"), verbose: c.Bool("verbose"), force: c.Bool("force"),
		allowExec: c.Bool("allow-exec"),
		progress:  p.terminal && !c.Bool("no-progress") && !c.Bool("quiet"),
		jobs:      c.Int("jobs"), seed: c.Int64("seed"), seedGiven: c.IsSet("seed"),
		look: terminal.Look{Width: p.width(), Colour: p.colour && !c.Bool("no-color")},
	}
	if v, ok := c.Generic("json").(*jsonValue); ok {
		s.json, s.summary = v.on, v.summary
	}
	if !c.IsSet("jobs") {
		s.jobs = runtime.GOMAXPROCS(0)
	}
	if s.jobs < 1 || s.jobs > 1024 {
		return nil, usagef("--jobs is %d, must be between 1 and 1024", s.jobs)
	}
	if !slices.Contains([]string{"violated", "incomplete", "caution", "never"}, s.failOn) {
		return nil, usagef("--fail-on is %s, must be violated, incomplete, caution or never", schemas.Quoted(s.failOn))
	}
	var err error
	s.maxMemory, err = parseSize(c.String("max-memory"))
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

// parseSize reads a size such as 512MiB, 4GiB or 1000000.
func parseSize(text string) (int64, error) {
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
		return 0, usagef("--max-memory is %s, must be a size of at least 64MiB, such as 512MiB or 4GiB", schemas.Quoted(text))
	}
	return int64(size), nil
}

// needs says what a command cannot do without.
type needs struct {
	protocol, out, tableau bool
	operands               string // in words; "" where the command takes none
	optional               bool   // operands may be left out
}

// anyLog are the operands of the commands that read a log.
const anyLog = "a log: a Parquet file, a directory or a glob"

// action makes an action of a command's own part: settings are read and what
// it needs is there before it runs.
func action(p *process, n needs, run func(c *cli.Context, p *process, s *settings) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		s, err := readSettings(c, p)
		if err != nil {
			return err
		}
		if err = n.check(c, s); err != nil {
			return err
		}
		sweep(notes{p, s}, s)
		ctx, cancel := context.WithCancelCause(c.Context)
		defer cancel(nil)
		c.Context = ctx
		s.memory = watchMemory(s.maxMemory, func(err error) {
			if c.Command.Name != "merge" {
				err = fmt.Errorf("%w, or, where there are several experiments, audit fewer at a time", err)
			}
			cancel(err)
		})
		defer s.memory.end()
		err = run(c, p, s)
		if cause := context.Cause(ctx); err != nil && errors.Is(cause, fault.ErrResource) {
			return cause
		}
		return err
	}
}

func (n needs) check(c *cli.Context, s *settings) error {
	name := c.Command.Name
	switch {
	case n.protocol && s.protocol == "":
		return usagef("%s needs a protocol: give -p %s", name, protocolAmong(c.Args().Slice()))
	case n.out && s.out == "":
		return usagef("%s needs an output: give -o", name)
	case n.tableau && c.String("tableau") == "":
		return usagef("%s needs a tableau: give -t DIR, made by banditaudit ingest", name)
	case n.operands != "" && !n.optional && !c.Args().Present():
		return usagef("%s needs %s", name, n.operands)
	case n.operands == "" && c.Args().Present():
		return usagef("%s takes no argument, got %s", name, schemas.Quoted(c.Args().First()))
	}
	if s.out == "-" && (name == "census" || name == "audit" && (c.IsSet("part") || c.IsSet("log"))) {
		return usagef("-o is -, and %s writes a file that appears when it is whole: name it; --json prints what there is to print", name)
	}
	for _, out := range []string{s.out, s.keepTableau} {
		if files.IsRemote(out) {
			return usagef("%s is an address, and outputs are written to this machine: give a directory or file of it, and copy that: aws s3 cp --recursive DIR ADDRESS", out)
		}
	}
	return nil
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

// toolVersion is the version that results carry. Two builds that could give
// different bytes have different versions.
const toolVersion = "0.2.6"

func tool() schemas.Tool { return schemas.Tool{Name: "banditaudit", Version: toolVersion} }

// notes writes what is not the result: hints, warnings and, with -v, steps.
type notes struct {
	p *process
	s *settings
}

func (n notes) warn(format string, args ...any) {
	fmt.Fprintln(n.p.stderr, "banditaudit: warning: "+terminal.Printable(fmt.Sprintf(format, args...)))
}

func (n notes) step(format string, args ...any) {
	if n.s.verbose {
		fmt.Fprintln(n.p.stderr, "banditaudit: "+terminal.Printable(fmt.Sprintf(format, args...)))
	}
}
