package paper

import (
	"math"

	"banditaudit/cmd/banditlab/documents"
)

// played is an arena and what came of it.
type played struct {
	arena   *arena
	outcome *outcome
}

// playAll plays arenas one after the other.
func playAll(r *runner, arenas []*arena) (map[string]*played, []*played, error) {
	byID, inOrder := make(map[string]*played, len(arenas)), make([]*played, 0, len(arenas))
	for _, a := range arenas {
		o, err := a.play(r)
		if err != nil {
			return nil, nil, err
		}
		p := &played{a, o}
		byID[a.id], inOrder = p, append(inOrder, p)
	}
	return byID, inOrder, nil
}

// averageBias is the mean over arms of |bias|, and an error of it that is not
// too small: √(Σ se²)/K. Where no arm is biased its expectation is not 0 but
// floor.
func (p *played) averageBias() (value, se, floor float64) {
	variance, k := 0.0, float64(len(p.outcome.bias))
	for i := range p.outcome.bias {
		b := &p.outcome.bias[i]
		e := b.se()
		value += math.Abs(b.mean) / k
		variance += float64(e * e)
		floor += float64(math.Sqrt(2/math.Pi)*e) / k // E|Z|·se
	}
	return value, math.Sqrt(variance) / k, floor
}

// mostBiased is the largest |bias| of an arm, and its standard error.
func (p *played) mostBiased() (value, se float64) {
	for i := range p.outcome.bias {
		b := &p.outcome.bias[i]
		if v := math.Abs(b.mean); v > value {
			value, se = v, b.se()
		}
	}
	return value, se
}

// significant counts arms whose 95 % interval excludes 0, and those whose mean
// varies at all: a mean of exactly 0 or 1 has no error that could be large.
func (p *played) significant() (count, varying int) {
	for i := range p.outcome.bias {
		b := &p.outcome.bias[i]
		if b.se() == 0 {
			continue
		}
		varying++
		if lo, hi := b.interval(); lo > 0 || hi < 0 {
			count++
		}
	}
	return count, varying
}

// largestZ is the largest |bias|/se of an arm whose mean varies; 0 where none is.
func (p *played) largestZ() float64 {
	z := 0.0
	for i := range p.outcome.bias {
		if b := &p.outcome.bias[i]; b.se() > 0 {
			z = max(z, math.Abs(b.mean)/b.se())
		}
	}
	return z
}

// regretAt is the average regret at the last checkpoint not after round t.
func (p *played) regretAt(t int64) *average {
	at := 0
	for i, point := range checkpoints(p.arena.rounds) {
		if point <= t {
			at = i
		}
	}
	return &p.outcome.regret[at]
}

// setting describes the arena with what was measured.
func (p *played) setting() documents.PaperSetting {
	a := p.arena
	s := documents.PaperSetting{ID: a.id, Words: a.words, Arms: len(a.means), Rounds: a.rounds, Runs: a.runs}
	value, se, floor := p.averageBias()
	most, mostSE := p.mostBiased()
	regret := p.regretAt(a.rounds)
	count, varying := p.significant()
	s.Measures = []documents.PaperValue{
		around("average absolute bias over arms", value, se),
		{Name: "the same if no arm were biased", Value: floor},
		around("largest absolute bias of an arm", most, mostSE),
		{Name: "arms whose 95 % interval excludes 0", Value: float64(count)},
		{Name: "arms whose mean varies", Value: float64(varying)},
		around("regret", regret.mean, regret.se()),
	}
	for i := range p.outcome.bias {
		b := &p.outcome.bias[i]
		lo, hi := b.interval()
		s.ByArm = append(s.ByArm, documents.PaperArm{Arm: i + 1, Mean: a.means[i], Pulls: p.outcome.pulls[i].mean, Bias: b.mean, Lo: lo, Hi: hi})
	}
	return s
}

// around is a value with its normal 95 % interval.
func around(name string, value, se float64) documents.PaperValue {
	half := float64(z95 * se)
	return documents.PaperValue{Name: name, Value: value, Lo: new(value - half), Hi: new(value + half)}
}

func settings(all []*played) []documents.PaperSetting {
	var out []documents.PaperSetting
	for _, p := range all {
		out = append(out, p.setting())
	}
	return out
}

// biasPlot shows the bias of each arm with its interval.
func (p *played) biasPlot(id, title string) documents.PaperPlot {
	line := documents.PaperLine{Label: p.arena.words}
	for i := range p.outcome.bias {
		b := &p.outcome.bias[i]
		lo, hi := b.interval()
		line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, b.mean)
		line.Lo, line.Hi = append(line.Lo, lo), append(line.Hi, hi)
	}
	return documents.PaperPlot{ID: id, Title: title, Kind: "arms", XLabel: "arm", YLabel: "bias of the sample mean", Lines: []documents.PaperLine{line}, Mark: new(0.0)}
}

// together is a plot of the lines of several, on one scale.
func together(id, title string, plots ...documents.PaperPlot) documents.PaperPlot {
	out := plots[0]
	out.ID, out.Title = id, title
	for _, p := range plots[1:] {
		out.Lines = append(out.Lines, p.Lines...)
	}
	return out
}

// regretPlot shows average regret over rounds, with its interval over runs.
func regretPlot(id, title string, all ...*played) documents.PaperPlot {
	out := documents.PaperPlot{ID: id, Title: title, Kind: "curves", XLabel: "round", YLabel: "average regret"}
	for _, p := range all {
		line := documents.PaperLine{Label: p.arena.words}
		for i, t := range checkpoints(p.arena.rounds) {
			s := &p.outcome.regret[i]
			lo, hi := s.interval()
			line.X, line.Y = append(line.X, float64(t)), append(line.Y, s.mean)
			line.Lo, line.Hi = append(line.Lo, lo), append(line.Hi, hi)
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}
