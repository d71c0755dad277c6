package accounting

import (
	"math"
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/replay/ledger/owner"
	"banditaudit/schemas"
)

// Claimed returns an accounting that says what is claimed and nothing else.
//
// Special cases are:
//
//	no claim gives empty words and null numbers
func Claimed(p *schemas.Privacy) schemas.Accounting {
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

// Account fills in the ledger of the logged action sequence. It reads public
// columns only.
//
// Special cases are:
//
//	a rule or a column of the log read released values, and no counter is
//	declared: the claim, and a note
//	rewards as they are may have decided the strata of the policy: likewise
func (e *Experiment) Account(a *schemas.Accounting) error {
	if who := e.readers(); who != "" && e.Mechanism.Released() == nil {
		a.Notes = append(e.contradictionNote(), who+undeclaredReleases)
		return nil
	}
	if why := e.strataDecided(); why != "" {
		a.Notes = append(e.contradictionNote(), why)
		return nil
	}
	k, err := e.known()
	if err != nil {
		return err
	}
	law := e.law()
	run, err := e.ledger(law, &k)
	if err != nil {
		return err
	}
	units, err := e.units(law, &run, &k)
	if err != nil {
		return err
	}
	e.Ledgers, e.Realized = byArm(run.Arms, len(e.Arms)), run.Realized().Up()
	a.SumSquaredCosts = schemas.Ext(run.SumSquares())
	if a.InferenceCosts = schemas.CostsLevels; e.ownContexts() {
		a.InferenceCosts = schemas.CostsOwnContext
	}
	if units != nil {
		a.SumSquaredUnitCosts, a.LargestUnit = schemas.Ext(units.squares), &units.largest
	}
	if a.Unit == schemas.UnitUser || units != nil && units.largest > 1 {
		if a.UserLoss, err = e.userLoss(law, &k, units); err != nil {
			return err
		}
	}
	totals(a, law, &run, units)
	a.Notes = append(e.contradictionNote(), e.notes(a, law, &run, &k)...)
	for arm, l := range e.Ledgers {
		for _, r := range l.Releases {
			a.Mechanisms = append(a.Mechanisms, schemas.Mechanism{
				Name: r.Name, Arm: e.Arms[arm], Scale: schemas.Ext(nearest(r.Scale)),
				Sensitivity: r.Sensitivity, Releases: r.Count, Epsilon: schemas.Ext(r.Epsilon.Up()),
			})
		}
		for _, v := range l.Levels {
			a.Levels = append(a.Levels, schemas.CostLevel{Arm: e.Arms[arm], Cost: schemas.Extended(v.Cost.Up()), Rows: v.Rows})
		}
	}
	return nil
}

// ledger makes the ledger of the run: from the lengths of the streams, or row
// by row where the law depends on the path.
func (e *Experiment) ledger(law ledger.Law, k *known) (ledger.Run, error) {
	p, ok := law.(*ledger.PathLaw)
	if !ok {
		return ledger.Account(law, k.pulls, k.read), nil
	}
	path := ledger.NewPath(p, len(e.Arms))
	err := e.arrivals(k, true, func(at *arrival) error {
		path.Row(at.arm, at.later, at.same)
		return nil
	})
	return path.Run(), err
}

// totals fills in what one unit of privacy loses. Of a round it is the largest
// cost of a row; of somebody with several rounds what bounds her loss, and on this path
// the largest sum of the costs of the rows of one unit.
func totals(a *schemas.Accounting, law ledger.Law, run *ledger.Run, units *unitTotals) {
	epsilon, rho, realized := run.Epsilon(), ledger.Concentrated(law), run.Realized().Up()
	if a.Unit == schemas.UnitUser {
		if units == nil {
			return
		}
		epsilon, rho, realized = units.atMost(law), units.rho(law), units.worst
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
	leaders leaders
	bounds  *owner.Law  // nil: none was made
	most    ledger.Loss // what a unit loses at most, where bound says so
	bound   bool
}

// atMost is what a unit loses at most.
func (u *unitTotals) atMost(law ledger.Law) ledger.Loss {
	if u.bound {
		return u.most
	}
	return law.Epsilon().Times(u.largest)
}

// rho is the ρ of a unit at most.
func (u *unitTotals) rho(law ledger.Law) float64 {
	if u.bounds != nil {
		return u.bounds.Rho(u.largest, u.most)
	}
	rho := ledger.GroupRho(ledger.Concentrated(law), u.largest)
	if u.bound {
		rho = min(rho, ledger.PureRho(u.most.Up()))
	}
	return rho
}

// unitWindow is the number of units that are summed at one time: 32 MiB. A log
// with more of them is read once for each window.
const unitWindow = 1 << 21

// units sums row costs by unit; nil where no unit is declared.
func (e *Experiment) units(law ledger.Law, run *ledger.Run, k *known) (*unitTotals, error) {
	switch {
	case !e.Slice.Schema().Unit:
		return nil, nil //nolint:nilnil // a log without units is no error
	case e.Slice.UnitCount() == e.Slice.Rows():
		out := &unitTotals{largest: 1, worst: run.Realized().Up(), squares: run.SumSquares()}
		for unit := range min(e.Slice.UnitCount(), manyOwners+1) {
			out.leaders.see(unit, 1, 0)
		}
		return out, nil
	}
	return e.unitWindows(law, k, unitWindow)
}

// unitWindows is units where some unit has several rows, window units at once.
func (e *Experiment) unitWindows(law ledger.Law, k *known, window int64) (*unitTotals, error) {
	out := &unitTotals{}
	sums := make([]float64, min(window, e.Slice.UnitCount()))
	rows := make([]int64, len(sums))
	for from := int64(0); from < e.Slice.UnitCount(); from += window {
		clear(sums)
		clear(rows)
		err := e.rowCosts(law, k, costWindow, func(chunk int, costs []float64) error {
			for row, unit := range e.Slice.Chunk(chunk).Unit {
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
			sum := float64(sums[i] * (1 + float64(float64(n)*0x1p-52))) // n positive numbers, added one by one
			out.largest, out.worst = max(out.largest, n), max(out.worst, sum)
			out.squares += float64(sum * sum)
			out.leaders.see(from+int64(i), n, sum)
		}
	}
	out.squares = float64(out.squares * (1 + float64(float64(e.Slice.UnitCount()+2)*0x1p-52)))
	return out, nil
}
