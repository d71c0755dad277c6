package allocationtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"banditaudit/analyze/stat/tail"
	"banditaudit/ingest/precision"
)

const (
	// togetherRows is the number of rounds of a log up to which its batches are
	// tested together.
	togetherRows = 1 << 13
	// togetherDraws is how often a batch is drawn anew, leastDraws how often it is
	// at least where there is not room for as many.
	togetherDraws, leastDraws = 1<<10 - 1, 1<<6 - 1
	// togetherWork bounds rounds times draws over all experiments of a log, about
	// 4 s; togetherLeast is what every experiment may take.
	togetherWork, togetherLeast = 1 << 26, 1 << 16
)

// TogetherDraws returns how often the batches of an experiment are drawn anew where they
// are tested together, 1,023 at most: the work is shared out over as many tests as there
// may be on a log. It is 0 where that is not enough, or where the experiment has more than
// 8,192 rounds: batches are then not tested together.
func TogetherDraws(rounds int64, tests int) int {
	if rounds > togetherRows {
		return 0
	}
	work := max(togetherLeast, togetherWork/int64(max(1, tests)))
	draws := min(togetherDraws, work/max(1, rounds))
	if draws < leastDraws {
		return 0
	}
	return int(draws)
}

// together tests batches within which the propensities of all arms stay the
// same. Given the past and its size n, the pulls N of such a batch are
// multinomial, so that Pearson's statistic Σ (N_a − n·p_a)²/(n·p_a) is compared
// with the statistics of B batches drawn anew, whatever the expected pulls are:
//
//	p_b = (1 + #{drawn ≥ observed})/(B + 1)
//
// is at most α with probability at most α given the past, and so are, together,
// −2·Σ ln p_b by the χ² law with two degrees of freedom for each batch (Fisher
// 1932; Barnard 1963 for p). The statistic of a batch of one row is 1/p − 1, so
// that its p is exactly the sum of the propensities that are no larger than the propensity
// of the played arm, and nothing is drawn. It asks that nobody ended a batch because of its
// own pulls. It finds what is spread over batches, such as a floor under rare arms, which
// no batch shows by itself.
type together struct {
	batches int
	fisher  float64 // −2·Σ ln p
}

// Together makes the accumulator test batches together too, each by the given number of
// draws (see TogetherDraws). Call it before the first row is added.
func (b *Batches) Together(draws int) { b.draws = draws }

// constant takes up the propensities of a row, and notes whether they differ from the
// batch's first.
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
func (t *together) test(o *openBatch, e precision.Ends, draws int) {
	if o.pulls == nil || o.varied {
		return
	}
	law := newMultinomial(o, e)
	var p float64
	if o.rows == 1 {
		p = law.single(slices.Index(o.pulls, 1), e)
	} else {
		p = law.pearson(o, e, draws)
	}
	t.batches++
	t.fisher -= 2 * math.Log(p)
}

// multinomial is the law of the pulls of a batch.
type multinomial struct {
	share, upTo []float64 // probabilities, and their sums
}

func newMultinomial(o *openBatch, e precision.Ends) *multinomial {
	sum, total := 0.0, 0.0
	for _, p := range o.p {
		sum += p + e.At(p)
	}
	m := &multinomial{share: make([]float64, len(o.p)), upTo: make([]float64, len(o.p))}
	for i, p := range o.p {
		m.share[i] = (p + e.At(p)) / sum
		total += m.share[i]
		m.upTo[i] = total
	}
	return m
}

// togetherRoom makes statistics count as equal that are but for rounding.
const togetherRoom = 1e-9

// single is the p of one row: the most that the probability of arms as rare as the
// one played may be.
func (m *multinomial) single(arm int, e precision.Ends) float64 {
	p := 0.0
	for _, s := range m.share {
		if e.Lower(s) <= e.Upper(m.share[arm])*(1+togetherRoom) {
			p += e.Upper(s)
		}
	}
	return min(1, p)
}

// pearson is the p of Pearson's statistic, by batches drawn anew. Up to the
// number of rows it is Σ N_a²/(n·p_a), of which a pull adds (2N_a + 1)/(n·p_a): a
// batch is drawn in the time of its rows, however many arms there are.
//
// What was played is held against the ends of propensities that are nearest to it;
// what is drawn, against those that it is drawn with.
func (m *multinomial) pearson(o *openBatch, e precision.Ends, draws int) float64 {
	const stream = 0x6261746368
	rng := rand.New(rand.NewPCG(uint64(o.batch), stream)) //nolint:gosec // drawn for a test, by a stream of its own for each batch
	n, as := float64(o.rows), 1
	seen := n
	for i, c := range o.pulls {
		seen += pearsonCell(float64(c), n, m.share[i], e)
	}
	pulls, arms := make([]int64, len(o.p)), make([]int, o.rows)
	for range draws {
		drawn := 0.0
		for r := range arms {
			i := min(len(pulls)-1, sort.SearchFloat64s(m.upTo, rng.Float64()))
			drawn += float64(2*pulls[i]+1) / float64(n*m.share[i])
			pulls[i]++
			arms[r] = i
		}
		for _, i := range arms {
			pulls[i] = 0
		}
		if drawn >= seen*(1-togetherRoom) {
			as++
		}
	}
	return float64(as) / float64(draws+1)
}

// logP is 0 where no batch was tested.
func (t *together) logP() float64 {
	if t.batches == 0 {
		return 0
	}
	return min(0, tail.LogChiSquare(t.fisher, float64(2*t.batches)))
}
