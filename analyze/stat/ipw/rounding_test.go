package ipw

import (
	"math"
	"math/rand/v2"
	"testing"
)

// roundedLog are rounds of three arms with propensities that are known to ± room, and the
// target of a policy.
func roundedLog(r *rand.Rand, n int, room float64, binary bool) (rounds []Round, target []float64) {
	for range n {
		p := drawn(r)
		least := make([]float64, len(p))
		for i := range p {
			p[i] = .7*p[i] + .1
			least[i] = p[i] - room
		}
		y := .4 + .2*r.Float64()
		if binary {
			y = float64(r.IntN(2))
		}
		rounds = append(rounds, Round{Arm: r.IntN(3), P: p, Least: least, Reward: y})
	}
	return rounds, drawn(r)
}

// between are the rounds with other propensities between their ends: at the ends, or
// anywhere.
func between(r *rand.Rand, rounds []Round) []Round {
	out, way := make([]Round, len(rounds)), r.IntN(4)
	for t := range rounds {
		of := &rounds[t]
		p := make([]float64, len(of.P))
		for i, q := range of.P {
			room, at := q-of.Least[i], float64(2*r.IntN(2)-1)
			switch way {
			case 0:
				at = -1
			case 1:
				at = 1
			case 2:
				at = 2*r.Float64() - 1
			}
			p[i] = min(1, q+at*room)
		}
		out[t] = Round{Arm: of.Arm, P: p, Reward: of.Reward}
	}
	return out
}

// guessed is an estimate, its standard error and how far both can move.
type guessed struct {
	value, stdErr float64
	move          RoundingError
}

// all are all estimates of a log.
func all(rounds []Round, target []float64) map[string]guessed {
	none := NewPlugin(3)
	a, v, cut, before := NewArms(&none, true, [][2]int{{2, 0}}, nil, share, Root), &Value{}, &Value{Clip: 1.5}, NewPlugin(3)
	even := NewArms(&none, true, [][2]int{{2, 0}}, nil)
	for i := range rounds {
		a.Add(&rounds[i])
		even.Add(&rounds[i])
		v.Add(target, &rounds[i], &before)
		cut.Add(target, &rounds[i], &before)
		before.Add(rounds[i].Arm, rounds[i].Reward)
	}
	mean := func(m *Mean, move RoundingError) guessed { return guessed{m.Value(), m.StdErr(), move} }
	score := func(s *Scores) guessed { return mean(&s.Mean, s.Move()) }
	pair := func(c *Contrast) guessed { return guessed{c.Value(), c.StdErr(), c.Move()} }
	return map[string]guessed{
		"ipw": mean(a.IPW(0), a.MoveIPW(0)), "snipw": mean(a.SNIPW(0), a.MoveSNIPW(0)),
		"aipw": score(a.AIPW(0, 0)), "by p": score(a.AIPW(1, 0)), "by root": score(a.AIPW(2, 0)),
		"contrast": pair(even.Against(0)), "contrast by root": pair(a.Against(0)),
		"ips": mean(&v.IPS, v.MoveIPS()), "snips": mean(&v.SNIPS, v.MoveSNIPS()), "dr": mean(&v.DR, v.MoveDR()), "gain": mean(&v.Gain, v.MoveIPS()),
		"ips, cut": mean(&cut.IPS, cut.MoveIPS()), "dr, cut": mean(&cut.DR, cut.MoveDR()),
	}
}

// Whatever propensities between the ends are taken, no estimate moves by more than D, nor
// does its standard error grow by more than E; D of IPW and IPS is attained.
func TestMoves(t *testing.T) {
	t.Parallel()
	r, nearest := rand.New(rand.NewPCG(9, 5)), map[string]float64{}
	for world := range 200 {
		rounds, target := roundedLog(r, 3+r.IntN(60), []float64{.0005, .005, .05, .095}[world%4], world%8 < 4)
		was := all(rounds, target)
		for range 25 {
			for name, is := range all(between(r, rounds), target) {
				of := was[name]
				if math.IsNaN(of.value) {
					continue
				}
				moved, grown := math.Abs(is.value-of.value), is.stdErr-of.stdErr
				if !(moved <= of.move.Value*(1+1e-9)+1e-13) || !(grown <= of.move.StdErr*(1+1e-9)+1e-8) {
					t.Fatalf("%s moves by %g and its error by %g, at most %+v", name, moved, grown, of.move)
				}
				if is.move != (RoundingError{}) {
					t.Fatalf("%s of exact propensities: %+v", name, is.move)
				}
				if of.move.Value > 0 {
					nearest[name] = max(nearest[name], moved/of.move.Value)
				}
			}
		}
	}
	t.Logf("largest part of D that was seen: %.3v", nearest)
	for name, least := range map[string]float64{"ipw": 1 - 1e-9, "ips": 1 - 1e-9, "gain": 1 - 1e-9, "aipw": .9, "dr": .9, "contrast": .5, "snipw": .2, "snips": .2, "by root": .2, "contrast by root": .1} {
		if nearest[name] < least {
			t.Errorf("%s moves by %g of D at most: D is loose", name, nearest[name])
		}
	}
}

// Every choice of three propensities of a small log: those of the formula sheet's, to two
// decimals.
func TestMovesEnumerated(t *testing.T) {
	t.Parallel()
	rounds, target := smallLog()[:6], []float64{.2, .5, .3}
	for i := range rounds {
		least := make([]float64, 3)
		for arm, p := range rounds[i].P {
			least[arm] = p - .005
		}
		rounds[i].Least = least
	}
	was := all(rounds, target)
	for choice := range 729 { // of 3 to the power of 6
		other := make([]Round, len(rounds))
		for i, c := 0, choice; i < len(rounds); i, c = i+1, c/3 {
			p := make([]float64, 3)
			for arm, q := range rounds[i].P {
				p[arm] = q + .005*float64(c%3-1)
			}
			other[i] = Round{Arm: rounds[i].Arm, P: p, Reward: rounds[i].Reward}
		}
		for name, is := range all(other, target) {
			if of := was[name]; !(math.Abs(is.value-of.value) <= of.move.Value+1e-13) || !(is.stdErr <= of.stdErr+of.move.StdErr+1e-8) {
				t.Fatalf("%s: %+v becomes %+v", name, of, is)
			}
		}
	}
	near(t, "D of IPW", was["ipw"].move.Value, (1/(1./3-.005)-3+1/.395-1/.4)/6) // the two pulls of the first arm that earned 1
}

// Of an arm that was played with a propensity that may be 0 nothing is bounded, whatever it
// earned; where it was not played, what weighs it is not.
func TestMovesOpen(t *testing.T) {
	t.Parallel()
	rounds := []Round{
		{Arm: 0, P: []float64{.01, .4, .59}, Least: []float64{0, .39, .58}},
		{Arm: 1, P: []float64{.01, .4, .59}, Least: []float64{0, .39, .58}, Reward: 1},
	}
	open := func(rounds []Round) map[string]bool {
		out := map[string]bool{}
		for name, of := range all(rounds, []float64{.2, .5, .3}) {
			if math.IsNaN(of.move.Value) || math.IsInf(of.move.Value, 1) != math.IsInf(of.move.StdErr, 1) {
				t.Errorf("%s: %+v", name, of.move)
			}
			out[name] = math.IsInf(of.move.Value, 1)
		}
		return out
	}
	for name, is := range open(rounds) {
		if !is {
			t.Errorf("%s is bounded", name)
		}
	}
	for name, is := range open(rounds[1:]) {
		if want := name == "by root" || name == "by p" || name == "contrast by root"; is != want {
			t.Errorf("%s is open: %v", name, is)
		}
	}
}
