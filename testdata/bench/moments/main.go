// Command moments computes per-arm moments of a log, by this project's own
// packages and nothing around them, so that its time can be set beside that of
// a database asked for the same numbers.
//
//	go run ./testdata/bench/moments [flags] FILE.parquet…
//	go run ./testdata/bench/moments [flags] -tableau DIR
//
// It prints one line of JSON: the seconds of each repetition, from opening the
// files to the last number (of a tableau: from the open tableau), and the
// statistics. With -what hc3 it also fits a regression per arm and reads the
// tableau a second time for its HC3 errors. Goroutines share row groups, or chunks of the tableau, whose parts
// are folded in file order, so that the numbers do not depend on -threads.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/regress"
	"banditaudit/ingest/tableaudir"
)

// job is what was asked for on the command line.
type job struct {
	threads int
	arms    int
	what    string // ols, means, hc3 or touch
	action  string
	reward  string
	list    string   // a list column that holds the covariates, or
	columns []string // flat columns that do
	width   int      // covariates
	rows    int      // read at a time
	scratch sync.Pool
	models  []*regress.Model // of the second pass
}

// result is what is printed.
type result struct {
	Seconds []float64 `json:"seconds"`
	Arms    []armSums `json:"arms"`
	// Of each arm, the intercept first.
	Estimates [][]float64 `json:"estimates,omitempty"`
	Errors    [][]float64 `json:"errors,omitempty"`
	Words     uint64      `json:"words,omitempty"` // of -what touch: their sum
}

// armSums are the moments of one arm: of the covariates and, last, the reward.
type armSums struct {
	N       int64       `json:"n"`
	Mean    []float64   `json:"mean"`
	Product [][]float64 `json:"product"` // centred, lower triangle
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "moments:", err)
		os.Exit(1)
	}
}

func run() error {
	j := &job{}
	j.scratch.New = j.newScratch
	flag.IntVar(&j.threads, "threads", 1, "goroutines, and GOMAXPROCS")
	flag.IntVar(&j.arms, "arms", 10, "arms: actions are 0…arms−1")
	flag.StringVar(&j.what, "what", "ols", "ols: all cross-products; means: count, mean and variance of the reward; hc3: of a tableau, regressions with HC3 errors; touch: add up the bytes")
	flag.StringVar(&j.action, "action", "action", "column of the arm")
	flag.StringVar(&j.reward, "reward", "reward", "column of the reward")
	flag.StringVar(&j.list, "list", "", "list column of covariates, instead of -columns")
	flag.IntVar(&j.width, "width", 10, "covariates")
	flag.IntVar(&j.rows, "rows", 8192, "rows read at a time")
	columns := flag.String("columns", "", "columns of covariates, comma-separated; x0, x1, … by default")
	dir := flag.String("tableau", "", "a directory that banditaudit ingest wrote, instead of files")
	repeat := flag.Int("repeat", 1, "repetitions within the process")
	flag.Parse()
	if *columns != "" {
		j.columns = strings.Split(*columns, ",")
		j.width = len(j.columns)
	}
	for i := 0; len(j.columns) < j.width; i++ {
		j.columns = append(j.columns, fmt.Sprintf("x%d", i))
	}
	if j.what == "hc3" && *dir == "" {
		return errors.New("-what hc3 reads the rows twice: give a -tableau")
	}
	if j.what == "touch" && *dir != "" {
		return errors.New("-what touch reads files: give that of the tableau")
	}
	if !slices.Contains([]string{"ols", "means", "hc3", "touch"}, j.what) || j.threads < 1 || j.arms < 1 || j.rows < 1 || (*dir == "") == (flag.NArg() == 0) {
		return errors.New("-what is ols, means, hc3 or touch, -threads, -arms and -rows are positive, and either files or -tableau are named")
	}
	runtime.GOMAXPROCS(j.threads)
	pass, done, err := j.source(*dir, flag.Args())
	if err != nil {
		return err
	}
	out := result{}
	for range *repeat {
		start := time.Now()
		total, err := pass()
		if err != nil {
			return errors.Join(err, done())
		}
		out.Seconds = append(out.Seconds, time.Since(start).Seconds())
		out.Arms, out.Words = total.arms(), total.words
		out.Estimates, out.Errors = total.coefficients()
	}
	return errors.Join(json.NewEncoder(os.Stdout).Encode(out), done())
}

// source returns what makes one pass over the files or the tableau.
func (j *job) source(dir string, files []string) (pass func() (*part, error), done func() error, err error) {
	switch {
	case j.what == "touch":
		return func() (*part, error) { return j.touch(files) }, func() error { return nil }, nil
	case dir == "":
		return func() (*part, error) { return j.parquet(files) }, func() error { return nil }, nil
	}
	t, m, err := tableaudir.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	j.arms, j.width = len(m.Arms), len(m.Context)
	if j.what == "hc3" {
		return func() (*part, error) { return j.regressions(t) }, t.Close, nil
	}
	return func() (*part, error) { return j.tableau(t, j.moments) }, t.Close, nil
}

// part is the moments of some of the rows.
type part struct {
	cross  []*moments.Cross
	scalar []moments.Scalar
	second []*regress.Sandwich
	words  uint64
}

func (j *job) newPart() *part {
	switch j.what {
	case "touch":
		return &part{}
	case "means":
		return &part{scalar: make([]moments.Scalar, j.arms)}
	}
	if j.models != nil {
		return &part{second: j.sandwiches()}
	}
	p := &part{cross: make([]*moments.Cross, j.arms)}
	for a := range p.cross {
		p.cross[a] = moments.NewCross(j.width)
	}
	return p
}

func (p *part) merge(o *part) {
	for a := range p.cross {
		p.cross[a].Merge(o.cross[a])
	}
	for a := range p.scalar {
		p.scalar[a].Merge(o.scalar[a])
	}
	for a := range p.second {
		p.second[a].Merge(o.second[a])
	}
	p.words += o.words
}

func (p *part) arms() []armSums {
	var out []armSums
	for _, s := range p.scalar {
		out = append(out, armSums{s.N, []float64{s.Mean}, [][]float64{{s.M2}}})
	}
	for _, c := range p.cross {
		a := armSums{N: c.N()}
		for i := range c.P() + 1 {
			a.Mean = append(a.Mean, c.Mean(i))
			row := make([]float64, i+1)
			for k := range row {
				row[k] = c.Product(i, k)
			}
			a.Product = append(a.Product, row)
		}
		out = append(out, a)
	}
	return out
}

// fold works n pieces with the job's goroutines and merges them in order.
func (j *job) fold(n int, work func(ctx context.Context, piece int) (*part, error)) (*part, error) {
	total := j.newPart()
	err := inOrder(min(j.threads, n), n, work, total.merge)
	return total, err
}
