package conformance

import (
	"math"
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
	a := schemas.Accounting{Notes: []string{}, Mechanisms: []schemas.Mechanism{}, Levels: []schemas.CostLevel{}}
	if p == nil {
		return a
	}
	a.Definition, a.Unit, a.DeltaClaimed = p.Definition, p.Unit, p.Delta
	if a.Definition == "" {
		a.Definition = schemas.DefinitionPure
	}
	if a.Unit == "" {
		a.Unit = schemas.UnitRound
	}
	a.EpsilonClaimed, a.RhoClaimed = schemas.Ext(p.Epsilon.Float()), schemas.Ext(p.Rho.Float())
	return a
}

// account fills in the ledger of the logged action sequence. It reads public
// columns only.
//
// Special cases are:
//
//	a rule or a column of the log read released values, and no counter is
//	declared: the claim, and a note
func (j *job) account(a *schemas.Accounting) error {
	if who := j.readers(); who != "" && j.Mechanism.Released() == nil {
		a.Notes = append(j.contradictionNote(), who+undeclaredReleases)
		return nil
	}
	k, err := j.known()
	if err != nil {
		return err
	}
	law := j.law()
	run, err := j.ledger(law, &k)
	if err != nil {
		return err
	}
	units, err := j.units(law, &run, &k)
	if err != nil {
		return err
	}
	j.arms, j.realized = run.Arms, run.Realized().Up()
	a.SumSquaredCosts = schemas.Ext(run.SumSquares())
	if a.InferenceCosts = schemas.CostsLevels; j.ownContexts() {
		a.InferenceCosts = schemas.CostsOwnContext
	}
	if units != nil {
		a.SumSquaredUnitCosts, a.LargestUnit = schemas.Ext(units.squares), &units.largest
	}
	totals(a, law, &run, units)
	a.Notes = append(j.contradictionNote(), j.notes(a, law, &run, &k)...)
	for arm, l := range run.Arms {
		for _, r := range l.Releases {
			a.Mechanisms = append(a.Mechanisms, schemas.Mechanism{
				Name: r.Name, Arm: j.Arms[arm], Scale: schemas.Ext(nearest(r.Scale)),
				Sensitivity: r.Sensitivity, Releases: r.Count, Epsilon: schemas.Ext(r.Epsilon.Up()),
			})
		}
		for _, v := range l.Levels {
			a.Levels = append(a.Levels, schemas.CostLevel{Arm: j.Arms[arm], Cost: schemas.Extended(v.Cost.Up()), Rows: v.Rows})
		}
	}
	return nil
}

// ledger makes the ledger of the run: from the lengths of the streams, or row
// by row where the law depends on the path.
func (j *job) ledger(law ledger.Law, k *known) (ledger.Run, error) {
	p, ok := law.(*ledger.PathLaw)
	if !ok {
		return ledger.Account(law, k.pulls, k.read), nil
	}
	path := ledger.NewPath(p, len(j.Arms))
	err := j.arrivals(k, true, func(at *arrival) error {
		path.Row(at.arm, at.later, at.same)
		return nil
	})
	return path.Run(), err
}

// totals fills in what one unit of privacy loses. Of a round it is the largest
// cost of a row; of somebody with up to m rounds m times that, and on this path
// the largest sum of the costs of the rows of one unit.
func totals(a *schemas.Accounting, law ledger.Law, run *ledger.Run, units *unitTotals) {
	epsilon, rho, realized := run.Epsilon(), ledger.Concentrated(law), run.Realized().Up()
	if a.Unit == schemas.UnitUser {
		if units == nil {
			return
		}
		epsilon, rho, realized = epsilon.Times(units.largest), ledger.GroupRho(rho, units.largest), units.worst
	}
	up := epsilon.Up()
	if !math.IsInf(realized, 1) {
		realized = min(realized, up) // sums of floats were rounded up
	}
	a.RhoMechanism, a.EpsilonRealized = schemas.Ext(rho), schemas.Ext(realized)
	if a.Definition == schemas.DefinitionApproximate && a.DeltaClaimed != nil {
		up = min(up, ledger.Approximate(rho, *a.DeltaClaimed))
	}
	a.EpsilonMechanism = schemas.Ext(up)
}

func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// unitTotals are the totals of a ledger over units.
type unitTotals struct {
	largest int64   // the most rounds of one unit
	worst   float64 // the largest sum of the costs of the rows of one unit, rounded up
	squares float64 // Σ over units of the square of that sum, rounded up
}

// unitWindow is the number of units that are summed at one time: 32 MiB. A log
// with more of them is read once for each window.
const unitWindow = 1 << 21

// units sums row costs by unit; nil where no unit is declared.
func (j *job) units(law ledger.Law, run *ledger.Run, k *known) (*unitTotals, error) {
	switch {
	case !j.s.Schema().Unit:
		return nil, nil //nolint:nilnil // a log without units is no error
	case j.s.UnitCount() == j.s.Rows():
		return &unitTotals{largest: 1, worst: run.Realized().Up(), squares: run.SumSquares()}, nil
	}
	return j.unitWindows(law, k, unitWindow)
}

// unitWindows is units where some unit has several rows, window units at once.
func (j *job) unitWindows(law ledger.Law, k *known, window int64) (*unitTotals, error) {
	out := &unitTotals{}
	sums := make([]float64, min(window, j.s.UnitCount()))
	rows := make([]int64, len(sums))
	for from := int64(0); from < j.s.UnitCount(); from += window {
		clear(sums)
		clear(rows)
		err := j.rowCosts(law, k, costWindow, func(chunk int, costs []float64) error {
			for row, unit := range j.s.Chunk(chunk).Unit {
				if i := unit - from; i >= 0 && i < int64(len(sums)) {
					rows[i]++
					sums[i] += costs[row]
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i, n := range rows {
			sum := float64(sums[i] * (1 + float64(n)*0x1p-52)) // n positive numbers, added one by one
			out.largest, out.worst = max(out.largest, n), max(out.worst, sum)
			out.squares += float64(sum * sum)
		}
	}
	out.squares = float64(out.squares * (1 + float64(j.s.UnitCount()+2)*0x1p-52))
	return out, nil
}
