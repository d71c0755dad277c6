package paper

import (
	"math"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay/policy/bitexact"
)

// Levels at which shares of rejected nulls are shown: 0, .005, …, .2.
const (
	levelCells = 40
	levelStep  = .005
)

// levels counts p-values by the first of these levels at which they reject.
type levels struct {
	n     float64
	first [levelCells + 1]float64
}

func (l *levels) add(logP float64) {
	l.n++
	if i := math.Ceil(bitexact.Exp(logP)/levelStep - 1e-9); i <= levelCells {
		l.first[int(max(i, 0))]++
	}
}

func (l *levels) merge(o *levels) {
	l.n += o.n
	for i, c := range o.first {
		l.first[i] += c
	}
}

// line is the share of p-values at or below each level.
func (l *levels) line(label string) documents.PaperLine {
	out, sum := documents.PaperLine{Label: label}, 0.0
	for i, c := range l.first {
		sum += c
		out.X, out.Y = append(out.X, float64(i)*levelStep), append(out.Y, sum/max(l.n, 1))
	}
	return out
}

// falseAlarms shows what share of true nulls of the least-pulled arm is rejected
// at each level: by a test that holds its level, at most that level.
func falseAlarms(by map[string]*testOutcome) documents.PaperPlot {
	line := func(setting, test, label string) documents.PaperLine {
		return by[setting].below[[2]string{leastPulled, test}].line(label)
	}
	bound := documents.PaperLine{Label: "the level itself", X: []float64{0, levelCells * levelStep}, Y: []float64{0, levelCells * levelStep}}
	return documents.PaperPlot{
		ID: "e4-false-alarms", Title: "What UCB data does to a test: rejected true nulls, least-pulled of 5 equal arms, 500 rounds",
		Kind: "curves", XLabel: "level of the test", YLabel: "share of runs that reject a true null",
		Lines: []documents.PaperLine{
			line(ucbHalf, naiveTest, "UCB, naive p"),
			line(linUniform, naiveTest, "arms drawn uniformly, naive p"),
			line(ucbHalf, sequenceTest, "UCB, p of the confidence sequence"),
			line(testedHybrid, correctedTest, "private UCB, ε = .0447, corrected p"),
			bound,
		},
	}
}
