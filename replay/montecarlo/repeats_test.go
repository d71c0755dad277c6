package montecarlo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// walk are laws that move as a learning policy's do: towards the arms that were
// played.
func walk(k, updates int, src *rand.Rand, step func(p []float64) (arm int)) {
	scores := make([]float64, k)
	for range updates {
		p, sum := make([]float64, k), 0.0
		for a := range p {
			p[a] = math.Exp(scores[a])
			sum += p[a]
		}
		for a := range p {
			p[a] /= sum
		}
		scores[step(p)] += 0.3 * (src.Float64() - 0.45)
	}
}

// pick draws an arm.
func pick(q []float64, src *rand.Rand) int {
	u := src.Float64()
	for a, v := range q {
		if u -= v; u < 0 {
			return a
		}
	}
	return len(q) - 1
}

// of draws the shares of n draws.
func of(n int, p []float64, src *rand.Rand) []float64 {
	q := make([]float64, len(p))
	for range n {
		q[pick(p, src)]++
	}
	for a := range q {
		q[a] /= float64(n)
	}
	return q
}

// Honest shares: of every number of draws, whole and of the played arm alone, and with
// the number known and not, the evidence reaches 1/α in at most a part α of the logs
// (1,000 logs each, α = 0.01: 21 or more in a cell by chance with probability 0.0015,
// were the bound attained; it is not).
func TestHonestSharesSeldomRepeatSo(t *testing.T) {
	t.Parallel()
	const logs, alpha, most = 1000, 0.01, 20
	for _, law := range []Law{Every, OneMore, SizeBiased, Seen} {
		for _, n := range []int{1, 2, 3, 10, 200} {
			for _, known := range []bool{true, false} {
				t.Run(fmt.Sprint(law, n, known), func(t *testing.T) {
					t.Parallel()
					src, rejected := rand.New(rand.NewPCG(uint64(law), uint64(n))), 0
					for range logs {
						s := NewShares(3, 0x1p-50, law)
						row := int64(0)
						walk(3, 60, src, func(p []float64) int {
							q, by := of(n, p, src), 0.0
							if known {
								by = float64(n)
							}
							arm := pick(q, src)
							switch law {
							case Every:
								s.Add(row, q, p, by)
							case OneMore:
								arm = pick(p, src)
								fallthrough
							default:
								s.AddOne(row, arm, q[arm], p, by)
							}
							row++
							return arm
						})
						if r := s.Repeats(0); r.Evidence > -math.Log(alpha) {
							rejected++
						}
					}
					if rejected > most {
						t.Errorf("%d of %d honest logs at level %g", rejected, logs, alpha)
					}
				})
			}
		}
	}
}

// Shares that stand still while their law moves are none of any number of draws.
func TestConstantSharesAreNoDraws(t *testing.T) {
	t.Parallel()
	for _, q := range [][]float64{{.5, .5}, {.2, .8}, {1. / 3, 1. / 3, 1. / 3}, {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}} {
		for _, n := range []float64{0, 10, 30, 60} {
			for _, whole := range []bool{true, false} {
				src, s := rand.New(rand.NewPCG(3, 4)), NewShares(len(q), 0x1p-50, SizeBiased)
				row := int64(0)
				walk(len(q), 300, src, func(p []float64) int {
					arm := pick(q, src)
					if whole {
						s.Add(row, q, p, n)
					} else {
						s.AddOne(row, arm, q[arm], p, n)
					}
					row++
					return arm
				})
				if r := s.Repeats(0); !r.Rejected() {
					t.Errorf("%v of %g draws, all arms' %t: evidence %g of %d updates", q, n, whole, r.Evidence, r.Updates)
				}
			}
		}
	}
}

// Shares of draws that are rounded to few decimals repeat, and so may those of one arm
// that has nearly all.
func TestSharesThatRepeatByTheirDecimals(t *testing.T) {
	t.Parallel()
	src, s := rand.New(rand.NewPCG(5, 6)), NewShares(2, 0.005, Every)
	for row := range int64(400) {
		p := 0.6 + 0.002*src.Float64()
		q := math.Round(100*of(20_000, []float64{p, 1 - p}, src)[0]) / 100
		s.Add(row, []float64{q, 1 - q}, []float64{p, 1 - p}, 20_000)
	}
	if r := s.Repeats(0); r.Rejected() || r.Updates != 400 {
		t.Errorf("evidence %g of %d updates", r.Evidence, r.Updates)
	}
}

// A recomputed law that comes again says nothing: whoever computes it may have kept
// its shares.
func TestALawThatComesAgain(t *testing.T) {
	t.Parallel()
	s := NewShares(2, 0x1p-50, Every)
	for row := range int64(400) {
		p := []float64{0.3, 0.7}
		if row%2 == 1 {
			p = []float64{0.6, 0.4}
		}
		s.Add(row, []float64{0.5, 0.5}, p, 2)
	}
	if r := s.Repeats(0); r.Updates != 2 || r.Rejected() {
		t.Errorf("%d updates, evidence %g", r.Updates, r.Evidence)
	}
}
