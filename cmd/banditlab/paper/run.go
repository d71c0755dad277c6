package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay"
)

// Sizes of a reproduction.
const (
	Full  = "full"  // the paper's numbers of runs
	Short = "short" // as many as a test can wait for; gates are wider
)

// Options say how a reproduction is run.
type Options struct {
	Size     string                  // Full or Short. Defaults to Full.
	Seed     int64                   // of everything that is drawn
	Jobs     int                     // goroutines. Defaults to 1. Results do not depend on it.
	Progress func(done, total int64) // in rounds; nil: not told. Called from one goroutine at a time.
}

// experiment is one of the paper's, or one that stands beside them.
type experiment struct {
	id  string
	run func(*runner) (*documents.PaperExperiment, error)
	// rounds returns how many rounds run plays at a size, so that progress has an end.
	rounds func(size string) int64
}

// experiments lists what can be run, in the order of the paper.
func experiments() []experiment {
	return []experiment{
		{"E1", e1, func(size string) int64 { return total(e1Arenas(size)) }},
		{"E2", e2, func(size string) int64 { return total(e2Arenas(size)) }},
		{"E3", e3, func(size string) int64 { return total(e3Arenas(size)) }},
		{"e3-intercept", e3Intercept, func(size string) int64 {
			arenas, _ := interceptArenas(size) // run says why there are none
			return total(arenas)
		}},
		{"E4", e4, func(size string) int64 { return total(e4Arenas(size)) }},
	}
}

// total is the number of rounds of arenas.
func total[A interface{ plays() int64 }](arenas []A) int64 {
	sum := int64(0)
	for _, a := range arenas {
		sum += a.plays()
	}
	return sum
}

func (a *arena) plays() int64       { return a.runs * a.rounds }
func (a *linearArena) plays() int64 { return a.runs * linearRounds }

// Names returns the names of all experiments, in the order of the paper.
func Names() []string {
	var names []string
	for _, e := range experiments() {
		names = append(names, e.id)
	}
	return names
}

// Run runs the named experiments, in the order of the paper; none named are all.
// The result is a pure function of names, size and seed.
//
// It returns an error for an unknown name or size, and the error of ctx.
func Run(ctx context.Context, names []string, o Options) (*documents.Reproduction, error) {
	if o.Size == "" {
		o.Size = Full
	}
	if o.Size != Full && o.Size != Short {
		return nil, fmt.Errorf("reproduce: size %q: the sizes are %s and %s", o.Size, Full, Short)
	}
	chosen, err := choose(names)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, size: o.Size, master: replay.Seed(o.Seed), jobs: max(o.Jobs, 1), progress: o.Progress}
	for _, e := range chosen {
		r.total += e.rounds(o.Size)
	}
	out := &documents.Reproduction{Schema: documents.ReproduceSchema, Size: o.Size, Seed: o.Seed}
	for _, e := range chosen {
		r.experiment = e.id
		x, err := e.run(r)
		if err != nil {
			return nil, fmt.Errorf("reproduce: %s: %w", e.id, err)
		}
		x.ID = e.id
		if o.Size == Short {
			withhold(x.Figures)
		}
		out.Experiments = append(out.Experiments, *x)
	}
	return out, nil
}

// choose returns the experiments of these names.
func choose(names []string) ([]experiment, error) {
	all := experiments()
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("reproduce: there is no experiment %q; write one of %s, or all", name, strings.Join(Names(), ", "))
		}
	}
	return slices.DeleteFunc(all, func(e experiment) bool { return !slices.Contains(names, e.id) }), nil
}
