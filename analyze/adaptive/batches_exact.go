package adaptive

import (
	"math"
	"math/rand/v2"
	"sort"

	"banditaudit/analyze/tail"
)

const (
	// TogetherRows is the number of rounds of a log up to which its batches are
	// tested together.
	TogetherRows = 1 << 13
	// togetherDraws is how often a batch is drawn anew.
	togetherDraws = 1<<10 - 1
)

// together tests batches within which the propensities of all arms stay the
// same. Given the past and its size n, the pulls N of such a batch are
// multinomial, so that Pearson's statistic Σ (N_a − n·p_a)²/(n·p_a) is compared
// with that of 1,023 batches drawn anew, whatever the expected pulls are:
//
//	p_b = (1 + #{drawn ≥ observed})/1024
//
// is at most α with probability at most α given the past, and so are, together,
// −2·Σ ln p_b by the χ² law with two degrees of freedom for each batch (Fisher
// 1932; Barnard 1963 for p). It asks that nobody ended a batch because of its own
// pulls. It finds what is spread over batches, such as a floor under rare arms,
// which no batch shows by itself.
type together struct {
	batches int
	fisher  float64 // −2·Σ ln p
}

// Together makes the accumulator test batches together too: before the first row
// is added. The propensities may be off by slack.
func (b *Batches) Together(slack float64) {
	b.exact, b.slack = true, max(knownResolution, slack)
}

// constant takes up the propensities of a row: whether they are those of the
// batch.
func (o *openBatch) constant(p []float64, arm int32) {
	if o.pulls == nil {
		o.pulls, o.p = make([]int64, len(o.cells)), append([]float64(nil), p...)
	}
	o.pulls[arm]++
	for i, v := range p {
		o.varied = o.varied || v != o.p[i]
	}
}

// joinConstant joins the rows of the same batch that follow.
func (o *openBatch) joinConstant(p *openBatch) {
	if o.pulls == nil || p.pulls == nil {
		return
	}
	o.varied = o.varied || p.varied
	for i, n := range p.pulls {
		o.pulls[i] += n
		o.varied = o.varied || p.p[i] != o.p[i]
	}
}

// test takes up a closed batch.
func (t *together) test(o *openBatch, slack float64) {
	if o.pulls == nil || o.varied {
		return
	}
	sum := 0.0
	for _, p := range o.p {
		sum += p + slack
	}
	upTo, share, total := make([]float64, len(o.p)), make([]float64, len(o.p)), 0.0
	for i, p := range o.p {
		share[i] = (p + slack) / sum
		total += share[i]
		upTo[i] = total
	}
	n := float64(o.rows)
	pearson := func(pulls []int64) float64 {
		s := 0.0
		for i, c := range pulls {
			e := n * share[i]
			d := float64(c) - e
			s += float64(d*d) / e
		}
		return s
	}
	const stream, room = 0x6261746368, 1e-9               // room: so that equal pulls count as equal
	rng := rand.New(rand.NewPCG(uint64(o.batch), stream)) //nolint:gosec // drawn for a test, by a stream of its own for each batch
	seen, as, drawn := pearson(o.pulls), 1, make([]int64, len(o.p))
	for range togetherDraws {
		clear(drawn)
		for range o.rows {
			drawn[min(len(drawn)-1, sort.SearchFloat64s(upTo, rng.Float64()))]++
		}
		if pearson(drawn) >= seen*(1-room) {
			as++
		}
	}
	t.batches++
	t.fisher -= 2 * math.Log(float64(as)/(togetherDraws+1))
}

// logP is 0 where no batch was tested.
func (t *together) logP() float64 {
	if t.batches == 0 {
		return 0
	}
	return min(0, tail.LogChiSquare(t.fisher, float64(2*t.batches)))
}
