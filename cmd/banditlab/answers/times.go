package answers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Time is how long a command took on the log of Measure, a process by itself.
type Time struct {
	Job     string  `json:"job"`
	Seconds float64 `json:"seconds"` // the median
	Least   float64 `json:"least"`
	Most    float64 `json:"most"`
	CPU     float64 `json:"cpu"`  // processor seconds, of the median
	Peak    float64 `json:"peak"` // MiB resident, mapped pages of the tableau included; the largest
}

// Times are the times that jobs took on a log of Rows rows.
type Times struct {
	Rows    int    `json:"rows"`
	Cores   int    `json:"cores"`
	Repeats int    `json:"repeats"`
	Times   []Time `json:"times"`
	Made    string `json:"made"`
}

// job is a command on one of two tableaux of the log.
type job struct {
	name string
	all  bool   // with the propensities of all arms, and not that of the played one
	asks string // the section analysis of the protocol
}

// jobs are the jobs that are timed: what every audit answers, and then one question more.
func jobs() []job {
	const difference = "  tests: [{id: D, difference: [arm-10, arm-1], value: 0%s}]\n"
	var out []job
	for _, all := range []bool{false, true} {
		which := map[bool]string{false: "p of the played arm", true: "p of all arms"}[all]
		out = append(
			out,
			job{which + ", nothing declared", all, ""},
			job{which + ", one difference, decide: auto", all, fmt.Sprintf(difference, "")},
			job{which + ", one difference, decide: adaptive", all, "  approximate: accept\n" + fmt.Sprintf(difference, ", decide: adaptive")},
			job{which + ", the value of uniform play", all, "  evaluate: [{id: U, target: uniform}]\n"},
		)
	}
	return append(out, job{"p of all arms, equal: all, decide: assignment", true, "  tests: [{id: E, equal: all, decide: assignment}]\n"})
}

// Measure times analyze on a log of rows of ε-greedy with ten arms, in a
// directory that is removed, each job repeats times, in turn.
func Measure(rows, repeats int) (out *Times, err error) {
	dir, err := os.MkdirTemp("", "banditaudit-answers-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	m := measurer{dir: dir, tool: filepath.Join(dir, "banditaudit")}
	if err = m.prepare(rows); err != nil {
		return nil, err
	}
	out = &Times{Rows: rows, Cores: runtime.NumCPU(), Repeats: repeats}
	runs := map[string][]Time{}
	var names []string
	add := func(t Time, err error) error {
		if runs[t.Job] == nil {
			names = append(names, t.Job)
		}
		runs[t.Job] = append(runs[t.Job], t)
		return err
	}
	for range repeats {
		for _, all := range []bool{false, true} {
			if err = add(m.floor(all)); err != nil {
				return nil, err
			}
			if err = add(m.ingest(all)); err != nil {
				return nil, err
			}
		}
		for _, j := range jobs() {
			if err = add(m.analyze(&j)); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range names {
		out.Times = append(out.Times, median(runs[name]))
	}
	return out, nil
}

// median is the run of median length, with the ends of all.
func median(runs []Time) Time {
	slices.SortFunc(runs, func(a, b Time) int { return int(1e6 * (a.Seconds - b.Seconds)) })
	out := runs[len(runs)/2]
	out.Least, out.Most = runs[0].Seconds, runs[len(runs)-1].Seconds
	for _, r := range runs {
		out.Peak = max(out.Peak, r.Peak)
	}
	return out
}

// measurer runs the tool.
type measurer struct{ dir, tool string }

// protocol is the protocol of a log, with a section analysis.
func (m *measurer) protocol(all bool, asks string) string {
	var arms []string
	for i := range 10 {
		arms = append(arms, "arm-"+strconv.Itoa(i+1))
	}
	column := map[bool]string{false: "propensity: propensity", true: "propensity_by_arm: propensity_by_arm"}[all]
	return "version: 1\nexperiment: {id: simulated, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, " + column + "}\narms: [" +
		strings.Join(arms, ", ") + "]\nreward: {range: [0, 1]}\nanalysis:\n  chosen: before\n" + asks
}

// tableau is where a tableau of the log lies.
func (m *measurer) tableau(all bool) string {
	return filepath.Join(m.dir, map[bool]string{false: "played", true: "all"}[all])
}

// prepare builds the tool, plays the log and ingests it once.
func (m *measurer) prepare(rows int) error {
	if _, err := m.run("build", "go", "build", "-o", m.tool, "./cmd/banditaudit"); err != nil {
		return err
	}
	_, err := m.run("simulate", m.tool, "simulate", "--policy", "epsilon-greedy", "--counter", "exact", "--log", "propensities", "--means",
		strings.Repeat("0.1,", 9)+"0.11", "--rounds", strconv.Itoa(rows), "--seed", "1", "-o", filepath.Join(m.dir, "log"))
	return err
}

func (m *measurer) ingest(all bool) (Time, error) {
	name := map[bool]string{false: "p of the played arm, ingest", true: "p of all arms, ingest"}[all]
	file, err := m.write(m.protocol(all, ""))
	if err != nil {
		return Time{}, err
	}
	return m.run(name, m.tool, "ingest", "-p", file, "-o", m.tableau(all), "--force", filepath.Join(m.dir, "log", "log"))
}

func (m *measurer) analyze(j *job) (Time, error) {
	file, err := m.write(m.protocol(j.all, j.asks))
	if err != nil {
		return Time{}, err
	}
	return m.run(j.name, m.tool, "analyze", "-p", file, "-t", m.tableau(j.all), "--fail-on", "never", "--force", "-o", filepath.Join(m.dir, "results.json"))
}

func (m *measurer) write(protocol string) (string, error) {
	file := filepath.Join(m.dir, "protocol.yaml")
	return file, os.WriteFile(file, []byte(protocol), 0o600)
}

// run times a command.
func (m *measurer) run(name string, command ...string) (Time, error) {
	c := exec.Command(command[0], command[1:]...) //nolint:gosec // banditaudit, as this process built it
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	began := time.Now()
	if err := c.Run(); err != nil {
		return Time{}, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, said.String())
	}
	out := Time{Job: name, Seconds: time.Since(began).Seconds()}
	out.CPU = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	out.Peak = peak(c.ProcessState) / 1024
	return out, nil
}

// floor reads the file of a tableau, which the system keeps in memory, and adds up its
// words, with a goroutine for each processor: less no program can do that reads what an
// analysis reads once. Before there is a tableau it makes one. The file is not held
// whole: the peak of a command that is started later would not be below this process's.
func (m *measurer) floor(all bool) (Time, error) {
	if _, err := os.Stat(m.tableau(all)); err != nil {
		if _, err = m.ingest(all); err != nil {
			return Time{}, err
		}
	}
	name := map[bool]string{false: "p of the played arm, floor: its tableau read once", true: "p of all arms, floor: its tableau read once"}[all]
	file, err := os.Open(filepath.Join(m.tableau(all), "rounds.arrow"))
	if err != nil {
		return Time{}, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return Time{}, err
	}
	n := int64(runtime.NumCPU())
	var group errgroup.Group
	began := time.Now()
	for i := range n {
		from, to := info.Size()/n*i, info.Size()/n*(i+1)
		group.Go(func() error {
			_, failed := added(io.NewSectionReader(file, from, to-from))
			return failed
		})
	}
	err = group.Wait()
	took := time.Since(began).Seconds()
	return Time{Job: name, Seconds: took, CPU: took * float64(n)}, err
}

// added adds up the words of a file, a piece at a time.
func added(r io.Reader) (sum uint64, err error) {
	for piece := make([]byte, 1<<20); ; {
		n, err := io.ReadFull(r, piece)
		for rest := piece[:n]; len(rest) >= 8; rest = rest[8:] {
			sum += binary.LittleEndian.Uint64(rest)
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return sum, nil
		case err != nil:
			return sum, err
		}
	}
}

// page are the times as a table.
func (t *Times) page() string {
	if t == nil {
		return ""
	}
	var out strings.Builder
	runs := "one run each"
	if t.Repeats > 1 {
		runs = fmt.Sprintf("the median of %d runs in turn (the least – the most)", t.Repeats)
	}
	fmt.Fprintf(&out, "\n## Time\n\nA log of %d rows of ε-greedy with ten arms, on %d processors: `banditaudit analyze` on its tableau, each a process by\nitself, %s, measured on %s. *Nothing declared* is what every audit answers; the other\nlines ask one question more. ", t.Rows, t.Cores, runs, t.Made)
	if slices.ContainsFunc(t.Times, func(x Time) bool { return strings.Contains(x.Job, "floor") }) {
		out.WriteString("The floor reads every byte of the tableau once, from the memory of the system. ")
	} else {
		out.WriteString("The floor, and the other methods, are not measured yet. ")
	}
	fmt.Fprintf(&out, "The peak is of\nresident memory, with the mapped pages of the tableau, which the system takes back at will; its own memory stays below\n`--max-memory`, 512 MiB, or a run ends with exit 6. All of it is measured by\n\n    go run ./cmd/banditlab answers -times %d -o testdata/reproduce/ANSWERS.md\n\n| job | seconds | processor seconds | peak, MiB |\n|---|---|---|---|\n", t.Rows)
	for i := range t.Times {
		x := &t.Times[i]
		spread := ""
		if t.Repeats > 1 {
			spread = fmt.Sprintf(" (%.2f – %.2f)", x.Least, x.Most)
		}
		peak := "–"
		if x.Peak > 0 {
			peak = fmt.Sprintf("%.0f", x.Peak)
		}
		fmt.Fprintf(&out, "| %s | %.2f%s | %.1f | %s |\n", x.Job, x.Seconds, spread, x.CPU, peak)
	}
	return out.String()
}
