package subgroups

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
)

// TestSplitsMean: over all action paths of 13 rounds, with probabilities that the
// paths have, the mean of e is 1 where p⁺ is p, and at most 1 with deficits: with
// cells and sides that depend on the actions before, in the midst of the stretches
// of tides, those within the cells of a crossing included, and where an arm can not
// always be played.
func TestSplitsMean(t *testing.T) {
	const rounds = 13
	for _, c := range []struct {
		name           string
		deficits, some bool
	}{{"all arms", false, false}, {"deficits", true, false}, {"some arms", false, true}} {
		total := 0.0
		for path := range 1 << rounds {
			p, e := pathE(path, rounds, c.deficits, c.some)
			total += p * e
		}
		if total > 1+1e-12 || !c.deficits && total < 1-1e-12 || c.deficits && total < .9 {
			t.Errorf("%s: the mean of e is %.15g", c.name, total)
		}
	}
}

// pathE is the probability of a path of actions of two arms, and e at its end.
func pathE(path, rounds int, deficits, some bool) (p, e float64) {
	plan := SplitPlan{Arms: 2, Level: allocationtest.SplitsLevel, Deficits: deficits, Tides: true, EachCell: true}
	plan.number()
	plan.Cells, plan.Crossed = append(plan.Cells, 2), []bool{false, true}
	s := NewSplits(plan)
	s.next = math.MaxInt64
	p = 1
	played := 0 // of arm 1
	for t := range rounds {
		of := []float64{.5, .5}
		if t > 2 {
			share := (1 + float64(played)) / (2 + float64(t))
			of = []float64{1 - share, share}
		}
		could := []bool{true, !some || t%3 != 1}
		if !could[1] {
			of = []float64{1, 0}
		}
		arm := path >> t & 1
		if p *= of[arm]; p == 0 {
			return 0, 0
		}
		row := &SplitRows{Cells: [][]uint8{{uint8((3*played + t) % 8)}, {uint8((played + t/2) % 2)}}, Arm: []int32{int32(arm)}, High: []float64{of[arm]}}
		if deficits {
			row.Low = of
		}
		if some {
			row.Could = could
		}
		s.Add(row)
		played += arm
	}
	s.evaluate()
	logE, _ := s.logE(s.unit)
	return p, math.Exp(logE)
}

// TestShares: with all families splits have a half, and what came earlier and the two
// of crossings an eighteenth each; without crossings what is left is shared evenly.
func TestShares(t *testing.T) {
	t.Parallel()
	of := []int{familySplits, familySplits, familyTails, familyTides, familyTides, familyCells, familyEarlier, familyCrossedCells, familyCrossedTides, familyCrossedTides}
	if got := shares(of); got != [families]float64{.25, 1. / 9, 1. / 18, 1. / 9, 1. / 18, 1. / 18, 1. / 36} {
		t.Errorf("%v", got)
	}
	total := 0.0
	for _, family := range of[:6] {
		total += shares(of[:6])[family]
	}
	if got := shares(of[:6]); math.Abs(total-1) > 1e-15 || math.Abs(got[familyTails]-1.0/6) > 1e-15 {
		t.Errorf("%v, in all %g", got, total)
	}
	if got := shares(of[:2]); got[familySplits] != .5 {
		t.Errorf("alone: %v", got)
	}
}

// honestLog is a log whose arms are drawn by the logged propensities.
type honestLog struct {
	name     string
	arms     int
	rounds   int
	numbers  int
	all      bool // the propensities of all arms are logged
	eligible bool // an arm is not always eligible
	units    bool // the rounds of a unit keep its arm, and only the first is a draw
	decimals int  // to which propensities are rounded; 0: not
	p        func(draw *rand.Rand, sums []float64) []float64
}

// tilted are fixed probabilities of which the least is .01.
func tilted(arms int) func(*rand.Rand, []float64) []float64 {
	return func(*rand.Rand, []float64) []float64 {
		p := make([]float64, arms)
		for i := range p {
			p[i] = (1 - .01) / float64(arms-1)
		}
		p[arms-1] = .01
		return p
	}
}

// learned are those of softmax by the sums of rewards, with a floor of .01.
func learned(_ *rand.Rand, sums []float64) []float64 {
	total, p := 0.0, make([]float64, len(sums))
	for i, s := range sums {
		p[i] = math.Exp(s / 20)
		total += p[i]
	}
	for i := range p {
		p[i] = .01 + (1-.01*float64(len(p)))*p[i]/total
	}
	return p
}

// moving are drawn anew in every round.
func moving(arms int) func(*rand.Rand, []float64) []float64 {
	return func(draw *rand.Rand, _ []float64) []float64 {
		total, p := 0.0, make([]float64, arms)
		for i := range p {
			p[i] = .02 + draw.ExpFloat64()
			total += p[i]
		}
		for i := range p {
			p[i] /= total
		}
		return p
	}
}

// numbersAt are contexts: normal, tied, constant, Cauchy, a walk, and a wave.
func numbersAt(draw *rand.Rand, t int, walk *float64) []float64 {
	*walk += draw.NormFloat64()
	return []float64{draw.NormFloat64(), float64(draw.IntN(3)), 1, math.Tan(math.Pi * (draw.Float64() - .5)), *walk, math.Sin(float64(t) / 7)}
}

func (l *honestLog) rejected(draw *rand.Rand) bool {
	s := NewSplits(whole(l.arms, l.numbers, l.all))
	eighths := make([]Eighths, l.numbers)
	sums := make([]float64, l.arms)
	var walk, last float64
	var unit int
	arm, before := 0, uint8(0)
	earlier := l.earlier(0, 0, nil)
	for t := range l.rounds {
		p := l.p(draw, sums)
		could := make([]bool, l.arms)
		left := 0.0
		for i := range could {
			could[i] = !l.eligible || i == 0 || draw.Float64() < .7
			if !could[i] {
				left, p[i] = left+p[i], 0
			}
		}
		for i := range p {
			p[i] /= 1 - left
		}
		kept := l.units && t > 0 && unit > 0
		if unit = draw.IntN(3); !kept {
			arm = l.pick(draw, p)
		}
		quarter := 4 * t / l.rounds
		row := &SplitRows{Cells: [][]uint8{{before + 2*uint8(last) + 6*uint8(quarter)}}, Arm: []int32{int32(arm)}, High: []float64{l.end(p[arm], 1)}}
		if kept {
			row.Arm[0] = -1
		}
		for i, x := range numbersAt(draw, t, &walk)[:l.numbers] {
			row.Cells = append(row.Cells, eighths[i].Cells(nil, []float64{x}))
		}
		row.Cells = append(row.Cells, earlier...)
		for i := range min(4, l.numbers) {
			of := row.Cells[1+i][0]
			if of != NoCell {
				of = of/4 + 2*before
			}
			row.Cells = append(row.Cells, []uint8{of})
		}
		if l.eligible {
			row.Could = could
		}
		for i := range p {
			if l.all {
				row.Low = append(row.Low, l.end(p[i], -1))
			}
		}
		s.Add(row)
		last, before = 0, 0
		if draw.Float64() < .3+.4*float64(arm%2) {
			last = 1
		}
		if arm == 0 {
			before = 1
		}
		sums[arm] += last - .5
		earlier = l.earlier(arm, last, row.Cells[1:])
	}
	r := s.Result()
	return r.Rejected
}

// earlier are the cells of earlierThings in the next round; of numbers none in the first.
func (l *honestLog) earlier(arm int, last float64, numbers [][]uint8) [][]uint8 {
	out := [][]uint8{{2 * uint8(last)}}
	if l.arms > 2 {
		out = append(out, []uint8{uint8(arm)})
	}
	for i := range min(2, l.numbers) {
		cell := uint8(NoCell)
		if len(numbers) > 0 && numbers[i][0] != NoCell {
			cell = numbers[i][0] / 2
		}
		out = append(out, []uint8{cell})
	}
	return out
}

func (l *honestLog) pick(draw *rand.Rand, p []float64) int {
	u := draw.Float64()
	for arm, of := range p {
		if u -= of; u < 0 && of > 0 {
			return arm
		}
	}
	for arm := len(p) - 1; ; arm-- {
		if p[arm] > 0 {
			return arm
		}
	}
}

// end is that end of a rounded probability.
func (l *honestLog) end(p, sign float64) float64 {
	if l.decimals == 0 || p == 0 {
		return p
	}
	unit := math.Pow10(-l.decimals)
	return min(1, max(0, math.Round(p/unit)*unit+sign*unit/2))
}

func honestLogs() []honestLog {
	return []honestLog{
		{name: "two arms", arms: 2, rounds: 500, numbers: 6, p: tilted(2)},
		{name: "two arms, by sums of rewards", arms: 2, rounds: 500, numbers: 6, all: true, p: learned},
		{name: "two arms, units", arms: 2, rounds: 600, numbers: 2, units: true, p: moving(2)},
		{name: "five arms, eligible at times", arms: 5, rounds: 500, numbers: 3, eligible: true, p: learned},
		{name: "five arms, rounded, eligible at times", arms: 5, rounds: 500, numbers: 3, all: true, eligible: true, decimals: 2, p: moving(5)},
		{name: "ten arms, rounded", arms: 10, rounds: 400, numbers: 2, decimals: 3, p: tilted(10)},
		{name: "ten arms, by sums of rewards", arms: 10, rounds: 400, numbers: 4, all: true, decimals: 3, p: learned},
	}
}

// Honest logs with all families: of 7·60 at level .0005 one is rejected with
// probability .2 at most; of 7·1,000 with these seeds none was. With -short 10 each.
func TestSplitsHonestWhole(t *testing.T) {
	t.Parallel()
	logs := 60
	if testing.Short() {
		logs = 10
	}
	for _, l := range honestLogs() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			rejected := 0
			for i := range logs {
				if l.rejected(rand.New(rand.NewPCG(29, uint64(i)))) {
					rejected++
				}
			}
			if rejected > 0 {
				t.Errorf("%d of %d honest logs are rejected", rejected, logs)
			}
		})
	}
}
