package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/calibration"
	"banditaudit/cmd/banditlab/dialects"
	"banditaudit/cmd/banditlab/faults"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/kit"
)

// counted is a command that counts, and writes a page of testdata/reproduce. It has no bound
// on its memory, for it runs what is bounded, many at a time.
func counted(p *process, name, usage, takes string, own []cli.Flag, run func(c *cli.Context, p *process) error) *cli.Command {
	page := "testdata/reproduce/" + strings.ToUpper(name) + ".md"
	return &cli.Command{
		Name: name, Usage: usage,
		UsageText:   "banditlab " + name + takes + " [-o FILE]",
		Description: kit.Manual("It writes "+page+", from the root of the module. Help counts says how long it takes.", "banditlab "+name+" -o "+page, "banditlab help counts"),
		Flags:       flags("out jobs", own...),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return kit.Usagef("%s takes no argument, got %s", name, c.Args().First())
			}
			if n := c.Int("jobs"); n > 0 {
				runtime.GOMAXPROCS(n)
			}
			return run(c, p)
		},
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
	return kit.NotWritten(os.WriteFile(out, page, 0o600))
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
			if err != nil {
				return kit.Usagef("--settings: %s", err)
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
