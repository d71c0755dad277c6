package dialects

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// Wrong is a policy that is declared by another law than it has.
type Wrong struct {
	Declared Setting

	Deployed string // beside what is declared
}

// WrongLogs is how many logs of each length are audited.
const WrongLogs = 20

// Lengths are the numbers of rounds in the second table.
func Lengths() []int { return []int{500, 2_000, 10_000} }

// Wrongs are the rows of the second table.
func Wrongs() []Wrong {
	var out []Wrong
	add := func(deployed, declared string, d dialect) {
		d.name, d.policy = deployed, declared
		out = append(out, Wrong{Setting{d, Actions}, deployed})
	}
	wrongGreedies(add)
	wrongWeights(add)
	wrongThompsons(add)
	return out
}

// of makes a dialect of a policy of three arms.
func of(begin func(k int) player) dialect {
	return dialect{begin: func(w *world) player { return begin(w.k) }}
}

func wrongGreedies(add func(deployed, declared string, d dialect)) {
	const declared = "name: epsilon-greedy, explore: 0.1, start: none"
	greedy := func(deployed string, e float64, less int, x index) {
		add(deployed, declared, of(func(k int) player {
			mine := x
			mine.arms, mine.ties = newArms(k), "first"
			return &explorer{player: &mine, k: k, explore: func(int) float64 { return e }, less: less}
		}))
	}
	greedy("ε = 0.12", .12, 0, index{})
	greedy("ε = 0.15", .15, 0, index{})
	greedy("ε = 0.2", .2, 0, index{})
	greedy("greedy by sums", .1, 0, index{sums: true})
	greedy("the last arm is never explored", .1, 1, index{})
	greedy("both, as SMPyBandits does", .1, 1, index{sums: true})
	add("ε = min(1, 10/t)", "name: epsilon-greedy, explore: {decay: 5}, start: none", of(func(k int) player {
		return &explorer{player: &index{arms: newArms(k), ties: "first"}, k: k, explore: func(t int) float64 { return min(1, 10/round(t)) }}
	}))
	ucb := func(deployed string, x index) {
		add(deployed, "like: river/ucb, width: {alpha: 1}", of(func(k int) player {
			mine := x
			mine.arms, mine.start = newArms(k), "random"
			return &mine
		}))
	}
	ucb("α = 1.01", index{width: alpha(1.01), running: true})
	ucb("α = 1.1", index{width: alpha(1.1), running: true})
	ucb("the clock counts the round", index{width: ucb1(2, round), running: true})
	ucb("ties go to the first", index{width: alpha(1), ties: "first"})
}

func wrongWeights(add func(deployed, declared string, d dialect)) {
	const means, eager = "name: softmax, temperature: 0.1", "name: softmax, temperature: 0.02"
	soft := func(s softmax) dialect {
		return of(func(k int) player {
			mine := s
			mine.arms = newArms(k)
			return &mine
		})
	}
	for _, tau := range []float64{.08, .12, .15} {
		add(fmt.Sprintf("temperature %g", tau), means, soft(softmax{tau: tau}))
	}
	add("means S/(N + 1)", means, soft(softmax{tau: .1, shrink: 1}))
	add("the largest of a Dirichlet draw, as MABWiser does", "name: softmax, temperature: 0.1", of(func(k int) player { return &dirichlet{softmax{arms: newArms(k), tau: .1}} }))
	late := soft(softmax{tau: .02})
	late.every, late.late = 10, 1
	add("updates a round later than every 10", eager+", update: {every: 10}", late)
	late.every = 0
	add("rewards learned a round later", eager, late)
	for _, gamma := range []float64{.12, .2} {
		add(fmt.Sprintf("γ = %g", gamma), "name: exp3, gamma: 0.1", of(func(k int) player { return newExp3(k, gamma, false) }))
	}
	lin := dialect{dim: 3, begin: func(w *world) player {
		l := newLinear(w, 1)
		l.noise = .6
		return l
	}}
	add("noise_sd 0.6", "name: lints, lambda: 1, noise_sd: 0.5", lin)
}

func wrongThompsons(add func(deployed, declared string, d dialect)) {
	beta := func(deployed, declared string, every, late int, set func(p *thompson)) {
		d := of(func(k int) player {
			p := newBeta(k)
			set(p)
			return p
		})
		d.every, d.late = every, late
		add(deployed, coin+declared, d)
	}
	same := func(*thompson) {}
	for _, prior := range [][2]float64{{2, 2}, {10, 10}, {1, 9}} {
		beta(fmt.Sprintf("prior Beta(%g, %g)", prior[0], prior[1]), "", 0, 0, func(p *thompson) { p.a, p.b = prior[0], prior[1] })
	}
	beta("updates every 50 rounds", "", 50, 0, same)
	beta("updates every 50 rounds", ", update: {every: 100}", 50, 0, same)
	beta("updates a round later than every 10", ", update: {every: 10}", 10, 1, same)
	beta("one of the best two", "", 0, 0, func(p *thompson) { p.two = true })
	beta("the best one", ", top: 2", 0, 0, same)
	beta("a cap of 50", "", 0, 0, func(p *thompson) { p.most = 50 })
	beta("no floor", ", update: {every: 10}, floor: 0.05", 10, 0, same)
	add("noise 0.5", "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}", of(func(k int) player { return newNormal(k, .5, 1, .5) }))
	floor := of(func(k int) player { return &floored{newBeta(k), "mix", .02} })
	floor.every = 10
	add("a floor of 0.02", coin+", update: {every: 10}, floor: 0.05", floor)
}

// dirichlet plays the largest coordinate of a Dirichlet draw whose parameters are the
// probabilities of a softmax.
type dirichlet struct{ softmax }

func (d *dirichlet) choose(t int, r *rand.Rand) int {
	v := d.chances(t)
	for i, p := range v {
		// The logarithm of a Gamma(p) variable: of one of 1 + p, and a power of a uniform.
		v[i] = math.Log(distuv.Gamma{Alpha: 1 + p, Beta: 1, Src: r}.Rand()) + math.Log(r.Float64())/p
	}
	return slices.Index(v, slices.Max(v))
}

// found is what the audits of one length come to.
type found struct {
	violated int
	named    []float64 // deviations that four of five logs would show, as they are named
}

// Count audits the logs 1, …, n of a length: three arms that pay 0 or 1 with means .3, .5
// and .55.
func (w *Wrong) Count(rounds, n int) (violated int, named float64, err error) {
	runs, err := mechanisms.Each(n, func(i int) (*truth.Found, error) {
		r := stream(w.Declared.Name()+w.Declared.policy+strconv.Itoa(rounds), i+1)
		of := &world{draw: r, k: 3, rounds: rounds, hi: 1, means: []float64{.3, .5, .55}}
		of.contexts(w.Declared.dim)
		return truth.Audit(w.Declared.play(of), w.Declared.protocol(of))
	})
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", w.Declared.Name(), err)
	}
	var all found
	for _, f := range runs {
		all.violated += b2i(f.Verdict(schemas.KindConformance) == schemas.Violated)
		if l := f.First().Replay.Law; l != nil && l.Detectable != nil {
			all.named = append(all.named, *l.Detectable)
		}
	}
	if len(all.named) > 0 {
		slices.Sort(all.named)
		named = all.named[(len(all.named)-1)/2]
	}
	return all.violated, named, nil
}

// Cell is what the page says of a length.
func (w *Wrong) Cell(rounds, n int) (string, error) {
	violated, named, err := w.Count(rounds, n)
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("%d %%", int(math.Round(100*float64(violated)/float64(n))))
	if named > 0 {
		out += fmt.Sprintf(" (%.2g)", named)
	}
	return out, nil
}

// Start is the beginning of the row.
func (w *Wrong) Start() string { return fmt.Sprintf("| %#q | %s |", w.Declared.policy, w.Deployed) }

// Line is the row, of the lengths given.
func (w *Wrong) Line(lengths ...int) (string, error) {
	cells := make([]string, len(lengths))
	for i, rounds := range lengths {
		cell, err := w.Cell(rounds, WrongLogs)
		if err != nil {
			return "", err
		}
		cells[i] = " " + cell + " |"
	}
	return w.Start() + strings.Join(cells, ""), nil
}
