package stratified

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
)

// thompson is a log of batches under Thompson sampling with normal posteriors of two
// arms and a floor, whose probabilities are renewed after each batch; y draws a reward.
func thompson(draw *rand.Rand, batches, size int, floor float64, y func(arm int) float64, end func(l Labels)) {
	var all [2]moments.Scalar
	p := .5
	for range batches {
		var l Labels
		for range size {
			first := draw.Float64() < p
			arm := 1
			if first {
				arm = 0
			}
			reward := y(arm)
			all[arm].AddOne(reward)
			l.Reward, l.First = append(l.Reward, reward), append(l.First, first)
		}
		end(l)
		v := .25/float64(all[0].N+1) + .25/float64(all[1].N+1)
		p = min(1-floor, max(floor, math.Exp(tail.LogNormal((all[1].Mean-all[0].Mean)/math.Sqrt(v)))))
	}
}

func bernoulli(draw *rand.Rand, mean ...float64) func(int) float64 {
	return func(arm int) float64 {
		if draw.Float64() < mean[arm] {
			return 1
		}
		return 0
	}
}

// table is that of rewards of 0 and 1.
func (l Labels) table() (out eprocess.Table) {
	for arm, s := range l.scalars() {
		out.Plays[arm], out.Ones[arm] = s.N, int64(math.Round(s.Mean*float64(s.N)))
	}
	return out
}

// TestLevelUnderThompson: equal arms of mean ½, 10 batches of 100, floor .1, 2,000 logs.
// The wagers and Fisher's combination reject in at most .05, which more than 128 of 2,000
// have with probability .003 where each has .05. The standardised batches reject in about
// .053 (formula sheet; .0530 of 4,000 there), within 4 standard errors.
func TestLevelUnderThompson(t *testing.T) {
	t.Parallel()
	logs := 2000
	if testing.Short() {
		logs = 300
	}
	draw := rand.New(rand.NewPCG(24, 6))
	var bet, fisher, bols float64
	for range logs {
		bets := eprocess.NewBatches()
		var up, down Combination
		var s Standardised
		thompson(draw, 10, 100, .1, bernoulli(draw, .5, .5), func(l Labels) {
			bets.Add(l.table())
			greater, less := l.LogP(10_000, nil)
			up.Add(greater)
			down.Add(less)
			sums := l.scalars()
			s.Add(sums[0], sums[1])
		})
		level := math.Log(.05)
		if -bets.Evidence().Largest.Both <= level {
			bet++
		}
		if math.Ln2+min(up.LogP(), down.LogP()) <= level {
			fisher++
		}
		if tail.LogNormalTwoSided(s.Z(0)) <= level {
			bols++
		}
	}
	n := float64(logs)
	t.Logf("rejected: wagers %.4f, Fisher %.4f, BOLS %.4f", bet/n, fisher/n, bols/n)
	most := .05*n + 2.8*math.Sqrt(.05*.95*n)
	if bet > most || fisher > most {
		t.Errorf("rejected in %g and %g of %d logs, at most %g", bet, fisher, logs, most)
	}
	if !(math.Abs(bols/n-.053) < 4*math.Sqrt(.053*.947/n)) {
		t.Errorf("the standardised batches reject in %g of logs, want about .053", bols/n)
	}
}

// TestFindsADifference: the power of the sheet, .788 of logs with means .3 and .5, 10
// batches of 100, floor .05, by the wagers; its Thompson sampler is another one.
func TestFindsADifference(t *testing.T) {
	t.Parallel()
	const logs = 300
	draw := rand.New(rand.NewPCG(24, 7))
	found := 0.0
	for range logs {
		bets := eprocess.NewBatches()
		thompson(draw, 10, 100, .05, bernoulli(draw, .3, .5), func(l Labels) { bets.Add(l.table()) })
		if -bets.Evidence().Largest.Both <= math.Log(.05) {
			found++
		}
	}
	t.Logf("found in %.3f", found/logs)
	if !(math.Abs(found/logs-.788) < .1) {
		t.Errorf("found in %g of logs, want about .788", found/logs)
	}
}

// TestLevelOfDrawnLabels: rewards with a long tail that drift, equal arms, 6 batches of
// 40 under Thompson sampling, sets of labels drawn. Of 400 logs at level .05 at most 33,
// which more have with probability .003 where each has .05.
func TestLevelOfDrawnLabels(t *testing.T) {
	t.Parallel()
	const logs = 400
	draw := rand.New(rand.NewPCG(24, 8))
	rejected := 0
	for log := range logs {
		var up, down Combination
		round, batch := 0, int64(0)
		y := func(int) float64 {
			round++
			return min(1, draw.ExpFloat64()*(.05+float64(round)/600))
		}
		thompson(draw, 6, 40, .1, y, func(l Labels) {
			batch++
			greater, less := l.LogP(99, Source([32]byte{byte(log), byte(log >> 8)}, "", batch))
			up.Add(greater)
			down.Add(less)
		})
		if math.Ln2+min(up.LogP(), down.LogP()) <= math.Log(.05) {
			rejected++
		}
	}
	t.Logf("rejected in %d of %d", rejected, logs)
	if rejected > 33 || rejected < 3 {
		t.Errorf("rejected in %d of %d logs at level .05", rejected, logs)
	}
}

// TestArmsInTurn is a negative control: what holds where the order of the labels was drawn
// does not where it was not. Arms take turns, and so do the rewards .4 and .2 of both, in
// 50 batches of 20: the wagers reject every time (formula sheet: 1.00).
func TestArmsInTurn(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(24, 9))
	for range 20 {
		bets := eprocess.NewBatches()
		for range 50 {
			var of eprocess.Table
			for row := range 20 {
				arm := row % 2
				of.Plays[arm]++
				if draw.Float64() < []float64{.4, .2}[arm] {
					of.Ones[arm]++
				}
			}
			bets.Add(of)
		}
		if p := -bets.Evidence().Largest.Both; p > math.Log(.05) {
			t.Errorf("ln p is %g", p)
		}
	}
}
