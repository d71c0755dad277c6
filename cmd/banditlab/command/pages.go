package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/calibration"
	"banditaudit/cmd/banditlab/dialects"
	"banditaudit/cmd/banditlab/faults"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/schemas"
)

// counted is a command that counts, and writes a page of testdata/reproduce. It has no bound
// on its memory, for it runs what is bounded, many at a time.
func counted(p *process, name, usage, takes string, own []cli.Flag, run func(c *cli.Context, p *process) error) *cli.Command {
	page := "testdata/reproduce/" + strings.ToUpper(name) + ".md"
	return &cli.Command{
		Name: name, Usage: usage,
		UsageText:   "banditlab " + name + takes + " [-o FILE]",
		Description: kit.Manual("It writes "+page+", from the root of the module. banditlab help counts says how long that takes.", "banditlab "+name+" -o "+page, "banditlab help counts"),
		Flags:       flags("out jobs", own...),
		Action: func(c *cli.Context) error {
			switch n := c.Int("jobs"); {
			case c.Args().Present():
				return kit.Usagef("%s takes no argument, got %s", name, schemas.Quoted(c.Args().First()))
			case c.IsSet("jobs") && (n < 1 || n > 1024):
				return kit.Usagef("--jobs is %d, must be between 1 and 1024", n)
			case n > 0:
				runtime.GOMAXPROCS(n)
			}
			if err := checkPage(c.String("out"), name); err != nil {
				return err
			}
			return stoppable(c, p, run)
		},
	}
}

// checkPage refuses, before anything is counted, to replace a file that is no page of the
// command's: a page says by which command it is written.
func checkPage(out, name string) error {
	if out == "" {
		return nil
	}
	if err := kit.CheckFreeFile(out, true); err != nil {
		return err
	}
	text, err := os.ReadFile(out)
	if err != nil || len(text) == 0 || bytes.Contains(text, []byte("./cmd/banditlab "+name)) {
		return nil //nolint:nilerr // nothing is there, or nothing that anybody misses
	}
	return kit.Usagef("%s exists and is no page that banditlab %s wrote; remove it, or give another -o", out, name)
}

// countsPrefix begins the names of the places in which logs are counted.
const countsPrefix = "banditlab-counts-"

// stoppable counts in a temporary place of its own, which is removed also where a signal ends
// the run: what counts has no other end.
func stoppable(c *cli.Context, p *process, run func(c *cli.Context, p *process) error) (err error) {
	atomicdir.Sweep(os.TempDir(), countsPrefix, "") // what runs that were killed left
	place, err := atomicdir.Make(os.TempDir(), countsPrefix, 0o700)
	if err != nil {
		return kit.NoTemporary("the logs that are counted", err, "")
	}
	defer func() { err = errors.Join(err, kit.NotWritten(place.Remove())) }()
	had, there := os.LookupEnv("TMPDIR")
	if err = cmp.Or(c.Err(), os.Setenv("TMPDIR", place.Path)); err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, os.Setenv("TMPDIR", had)); !there {
			err = errors.Join(err, os.Unsetenv("TMPDIR"))
		}
	}()
	done := make(chan error, 1)
	go func() { done <- run(c, p) }()
	select {
	case err = <-done:
		return err
	case <-c.Done():
		ended := place.Path + ".ended" // what still counts finds its place no more
		return errors.Join(c.Err(), os.Rename(place.Path, ended), os.RemoveAll(ended))
	}
}

// onPage makes a page whole before it is written to the FILE of -o, or to stdout.
func onPage(write func(c *cli.Context, p *process, w io.Writer) error) func(c *cli.Context, p *process) error {
	return func(c *cli.Context, p *process) error {
		var b bytes.Buffer
		if err := write(c, p, &b); err != nil {
			return err
		}
		return p.keepPage(c.String("out"), b.Bytes())
	}
}

// keepPage writes a page to a file, or to stdout where out is "".
func (p *process) keepPage(out string, page []byte) error {
	if out == "" {
		_, err := p.Stdout.Write(page)
		return kit.NotWritten(err)
	}
	return kit.WriteFile(out, page, true)
}

func calibrationCommand(p *process) *cli.Command {
	return counted(p, "calibration", "how often tests of data with known truth reject", "", nil,
		onPage(func(_ *cli.Context, _ *process, w io.Writer) error { return calibration.Page(w) }))
}

func faultsCommand(p *process) *cli.Command {
	return counted(p, "faults", "after how many rounds which fault is found, and how often honest logs are accused", "", nil,
		onPage(func(_ *cli.Context, _ *process, w io.Writer) error { return faults.Page(w) }))
}

func mechanismsCommand(p *process) *cli.Command {
	return counted(p, "mechanisms", "what every policy on every counter costs and loses", "", nil,
		onPage(func(_ *cli.Context, p *process, w io.Writer) error {
			return mechanisms.Table(w, mechanisms.Machine{Date: p.today(), Class: class()})
		}))
}

func dialectsCommand(p *process) *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "settings", Usage: "only settings whose name fits this `REGEXP`"},
		&cli.IntFlag{Name: "logs", Value: dialects.Logs, Usage: "honest `LOGS` of each setting"},
	}
	return counted(p, "dialects", "are honest logs of libraries' policies consistent, and others not", " [--settings REGEXP]", own,
		onPage(func(c *cli.Context, p *process, w io.Writer) error {
			fits, err := regexp.Compile(c.String("settings"))
			switch {
			case err != nil:
				return kit.Usagef("--settings: %s", err)
			case c.Int("logs") < 1:
				return kit.Usagef("--logs is %d, must be at least 1", c.Int("logs"))
			case (c.IsSet("settings") || c.IsSet("logs")) && c.String("out") != "":
				return kit.Usagef("with --settings or --logs the page has some rows alone, or fewer logs: leave -o out, and it is printed")
			case !slices.ContainsFunc(dialects.Settings(), func(s dialects.Setting) bool { return fits.MatchString(s.Name()) }):
				return kit.Usagef("--settings: no setting fits %s; names are such as %s", schemas.Quoted(c.String("settings")), dialects.Settings()[0].Name())
			}
			began := p.Now()
			if err = dialects.Page(w, &dialects.Options{Logs: c.Int("logs"), Only: fits, Said: p.Stderr}); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Stderr, "%.1f minutes, %d logs at once\n", p.Now().Sub(began).Minutes(), runtime.GOMAXPROCS(0))
			return err
		}))
}

// today is the day, of UTC, that a page bears.
func (p *process) today() string { return p.Now().UTC().Format("2006-01-02") }

// class says on what kind of machine the time was taken.
func class() string {
	model := ""
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				model = strings.TrimLeft(strings.TrimSpace(name), ": \t") + ", "
				break
			}
		}
	}
	return fmt.Sprintf("%s%d processors, %s/%s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
