package conformance

import (
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// claimed returns an accounting that says what is claimed and nothing else.
//
// Special cases are:
//
//	no claim gives empty words and null numbers
func claimed(p *schemas.Privacy) schemas.Accounting {
	a := schemas.Accounting{Mechanisms: []schemas.Mechanism{}, Levels: []schemas.CostLevel{}}
	if p == nil {
		return a
	}
	a.Definition, a.Unit, a.DeltaClaimed = p.Definition, p.Unit, p.Delta
	if a.Definition == "" {
		a.Definition = "pure"
	}
	if a.Unit == "" {
		a.Unit = "round"
	}
	a.EpsilonClaimed = schemas.Ext(p.Epsilon.Float())
	return a
}

// account fills in the ledger of the logged action sequence. It reads the
// public arm column only.
func (j *job) account(a *schemas.Accounting) error {
	pulls, last, err := j.tally()
	if err != nil {
		return err
	}
	run := ledger.Account(j.m.Law(), pulls, last)
	a.EpsilonMechanism = schemas.Ext(run.Epsilon().Up())
	a.EpsilonRealized = schemas.Ext(run.Realized().Up())
	a.SumSquaredCosts = schemas.Ext(run.SumSquares())
	for arm, l := range run.Arms {
		for _, r := range l.Releases {
			a.Mechanisms = append(a.Mechanisms, schemas.Mechanism{
				Name: r.Name, Arm: j.arms[arm], Scale: schemas.Ext(nearest(r.Scale)),
				Sensitivity: r.Sensitivity, Releases: r.Count, Epsilon: schemas.Ext(r.Epsilon.Up()),
			})
		}
		for _, v := range l.Levels {
			a.Levels = append(a.Levels, schemas.CostLevel{Arm: j.arms[arm], Cost: schemas.Extended(v.Cost.Up()), Rows: v.Rows})
		}
	}
	return nil
}

// tally counts the pulls of every arm and returns the arm of the last round.
func (j *job) tally() (pulls []int64, last int, err error) {
	pulls = make([]int64, len(j.arms))
	for i := range j.s.Chunks() {
		if err = j.ctx.Err(); err != nil {
			return nil, 0, err
		}
		for _, arm := range j.s.Chunk(i).Arm {
			if arm < 0 || int(arm) >= len(pulls) {
				return nil, 0, errArm
			}
			pulls[arm]++
			last = int(arm)
		}
	}
	return pulls, last, nil
}

func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
