package subgroups

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// pool are the values and weights of all accounts. Units are the splits, in their
// order, and the levels of tides; each has an account for every side and arm, and
// with deficits another. Behind them is one account for each partition of more
// than two cells.
type pool struct {
	lambdas lambdas
	values  []float64 // ln M of every account at a look
	weights []float64 // ln of the weight of each account, by unit, and then of each partition
	joint   []int     // partitions that have an account, of whose cells
	sums    []float64 // by split at a look
	onCells []float64 // ln M by cell of all partitions, deficit and arm

	// Room for standings, which [Splits.eachStanding] uses again.
	inCells []standing
	onSides [2]standing
	ofTides [tideLevels][2]standing
}

// newPool shares out the weights.
func (s *Splits) newPool() pool {
	p := pool{lambdas: newLambdas()}
	for f, n := range s.plan.Cells {
		if s.plan.crossed(f) || s.plan.earlier(f) || s.plan.EachCell && n > 2 {
			p.joint = append(p.joint, f)
		}
	}
	of := s.families(p.joint)
	weight := shares(of)
	per := float64(s.perUnit())
	for i, family := range of {
		w := weight[family]
		if i < s.units() {
			w /= per
		}
		p.weights = append(p.weights, math.Log(w))
	}
	p.values = make([]float64, s.units()*s.perUnit()+len(p.joint))
	p.onCells = make([]float64, len(s.waiting.rounds)*s.perCell())
	p.inCells = make([]standing, 0, slices.Max(append([]int{0}, s.plan.Cells...)))
	return p
}

// The families, in the order of their parts.
const (
	familySplits = iota
	familyTails
	familyTides
	familyCells
	familyEarlier
	familyCrossedCells
	familyCrossedTides
	families
)

// parts returns in which proportion the families other than splits share their half of e.
func parts() [families]float64 { return [families]float64{0, 2, 2, 2, 1, 1, 1} }

// families lists the family of each unit, and then of each partition whose cells have an account.
func (s *Splits) families(joint []int) []int {
	var of []int
	for _, split := range s.plan.Splits {
		if split.Tail {
			of = append(of, familyTails)
		} else {
			of = append(of, familySplits)
		}
	}
	for _, t := range s.tides {
		family := familyTides
		if t.partition >= 0 {
			family = familyCrossedTides
		}
		for range tideLevels {
			of = append(of, family)
		}
	}
	for _, f := range joint {
		switch {
		case s.plan.crossed(f):
			of = append(of, familyCrossedCells)
		case s.plan.earlier(f):
			of = append(of, familyEarlier)
		default:
			of = append(of, familyCells)
		}
	}
	return of
}

// shares are the weights of one of each family, of as many as there are of it.
func shares(of []int) (each [families]float64) {
	var there [families]float64
	for _, family := range of {
		there[family]++
	}
	parts, total := parts(), 0.0
	for family, n := range there {
		if n > 0 {
			total += parts[family]
		}
	}
	each[familySplits] = 1 / there[familySplits]
	if total == 0 {
		return each
	}
	each[familySplits] /= 2
	for family := familyTails; family < families; family++ {
		each[family] = .5 * parts[family] / total / there[family]
	}
	return each
}

// units are the splits and the levels of tides.
func (s *Splits) units() int { return len(s.plan.Splits) + tideLevels*len(s.tides) }

// perUnit is how many accounts a unit has.
func (s *Splits) perUnit() int {
	if s.plan.Deficits {
		return 4 * s.plan.Arms
	}
	return 2 * s.plan.Arms
}

// logWeight returns ln of the weight of each account of a unit, or of a partition's account, by
// the number that Splits.unit gives.
func (s *Splits) logWeight(unit int) float64 { return s.weights[unit] }

// unit returns the number of an account's unit; for the account of a partition, the number of
// units plus its place.
func (s *Splits) unit(account int) int {
	if of := s.units() * s.perUnit(); account >= of {
		return s.units() + account - of
	}
	return account / s.perUnit()
}

// place is where the account of a unit, side and arm is; that on deficits is
// 2·arms behind it.
func (s *Splits) place(unit int, side Side, arm int) int {
	return unit*s.perUnit() + int(side)*s.plan.Arms + arm
}

// eachStanding goes over the standings of all units, sides and arms, and where it
// is asked for over the standings of all cells and arms.
func (s *Splits) eachStanding(do func(unit int, side Side, arm int, e *standing), cell func(partition, cell, arm int, e *standing)) {
	s.spread()
	for arm := range s.plan.Arms {
		for f := range s.plan.Cells {
			s.inCells = s.cells(s.inCells[:0], f, arm)
			if cell != nil {
				for c := range s.inCells {
					cell(f, c, arm, &s.inCells[c])
				}
			}
			s.sides(f, arm, s.inCells, do)
		}
		for n, of := range s.tides {
			of.standings(arm, &s.ofTides, s.rates)
			for i := range s.ofTides {
				for side := range s.ofTides[i] {
					do(len(s.plan.Splits)+n*tideLevels+i, Side(side), arm, &s.ofTides[i][side])
				}
			}
		}
	}
}

// cells appends the standings of an arm in the cells of a partition.
func (s *Splits) cells(to []standing, partition, arm int) []standing {
	for c := range s.plan.Cells[partition] {
		at := s.first[partition] + c
		to = append(to, standing{})
		e := &to[c]
		e.of(&s.stakes[at*s.plan.Arms+arm], &s.expected[at*s.plan.Arms+arm], s.rates)
	}
	return to
}

// sides goes over the two sides of the splits of a partition.
func (s *Splits) sides(partition, arm int, cells []standing, do func(unit int, side Side, arm int, e *standing)) {
	for f := range s.plan.Splits {
		split := &s.plan.Splits[f]
		if split.Partition != partition {
			continue
		}
		s.onSides = [2]standing{}
		for c := range cells {
			if side := split.Sides[c]; side != SideUnknown && (cells[c].could > 0 || cells[c].rows > 0) {
				s.onSides[side].join(&cells[c])
			}
		}
		for side := range s.onSides {
			do(f, Side(side), arm, &s.onSides[side])
		}
	}
}

// evaluate takes the values of all accounts.
func (s *Splits) evaluate() {
	k := s.plan.Arms
	s.eachStanding(func(unit int, side Side, arm int, e *standing) {
		at := s.place(unit, side, arm)
		s.values[at] = e.surplus(&s.lambdas)
		if s.plan.Deficits {
			s.values[at+2*k] = e.deficit(&s.lambdas)
		}
	}, func(partition, cell, arm int, e *standing) {
		at := (s.first[partition] + cell) * s.perCell()
		s.onCells[at+arm] = e.surplus(&s.lambdas)
		if s.plan.Deficits {
			s.onCells[at+k+arm] = e.deficit(&s.lambdas)
		}
	})
	for i, f := range s.joint {
		s.values[s.units()*s.perUnit()+i] = s.product(f)
	}
}

// perCell is how many accounts there are on a cell.
func (s *Splits) perCell() int { return s.perUnit() / 2 }

// product is ln Π(½ + ½·M̄) over the cells of a partition.
func (s *Splits) product(partition int) float64 {
	total := 0.0
	for c := range s.plan.Cells[partition] {
		at := (s.first[partition] + c) * s.perCell()
		total += tail.LogMeanExp([]float64{0, tail.LogMeanExp(s.onCells[at : at+s.perCell()])})
	}
	return total
}

// telling is the account to name, of which the largest is given: one of a split or
// tide, which says more, unless none would reject alone.
func (s *Splits) telling(largest int) int {
	top := 0
	for i, v := range s.values[:s.units()*s.perUnit()] {
		if v != 0 && v > s.values[top] { // one that has no rounds has become exactly 1
			top = i
		}
	}
	if s.values[top]+s.weights[s.unit(top)] >= -math.Log(s.plan.Level) {
		return top
	}
	return largest
}

// logE is ln e, and the place of the largest account.
func (p *pool) logE(unit func(account int) int) (logE float64, largest int) {
	top := math.Inf(-1)
	for i, v := range p.values {
		top = max(top, v+p.weights[unit(i)])
		if v != 0 && v > p.values[largest] {
			largest = i
		}
	}
	total := 0.0
	for i, v := range p.values {
		total += bitexact.Exp(v + p.weights[unit(i)] - top)
	}
	return top + math.Log(total), largest
}

// withouts takes up, for each split, ln of the sum of all others with their weights.
func (s *Splits) withouts(to []float64) {
	per := s.perUnit()
	s.sums = s.sums[:0]
	for f := range s.plan.Splits {
		s.sums = append(s.sums, s.weights[f]+tail.LogMeanExp(s.values[f*per:f*per+per])+math.Log(float64(per)))
	}
	for f, own := range s.sums {
		s.sums[f] = math.Inf(-1) // not the sum of all less its own, which could leave nothing but rounding
		to[f] = max(to[f], tail.LogMeanExp(s.sums)+math.Log(float64(len(s.sums))))
		s.sums[f] = own
	}
}

// account says what an account is of; of one of cells, the largest on one of them.
func (s *Splits) account(i int) SplitAccount {
	unit, per, k := s.unit(i), s.perUnit(), s.plan.Arms
	a := SplitAccount{Split: unit, Partition: -1, Arm: i % k}
	var e standing
	if unit < s.units() {
		at := i % per
		a.Underserved, a.Side, a.LogE = at >= 2*k, Side(at/k%2), s.values[i] //nolint:gosec // 0 or 1
		s.eachStanding(func(of int, side Side, arm int, x *standing) {
			if of == unit && side == a.Side && arm == a.Arm {
				e = *x
			}
		}, nil)
	} else {
		a.Split, a.Partition = -1, s.joint[unit-s.units()]
		s.largest(&a)
		e = s.cells(nil, a.Partition, a.Arm)[a.Cell]
	}
	a.Rounds, a.Plays = e.could, e.rows
	a.Deviation = float64(100*e.inverse)/float64(e.could) - 100
	if a.Underserved {
		a.Deviation = float64(100*float64(e.rows))/e.low - 100
	}
	switch {
	case e.plays > 0:
		a.Expected, a.Known = e.plays, true
	case e.low > 0:
		a.Expected, a.Known = e.low, true
	}
	return a
}

// largest finds the largest account on one cell of a partition.
func (s *Splits) largest(a *SplitAccount) {
	per := s.perCell()
	from := s.first[a.Partition] * per
	all := s.onCells[from : from+s.plan.Cells[a.Partition]*per]
	top := 0
	for i, v := range all {
		if v > all[top] {
			top = i
		}
	}
	a.Cell, a.Arm, a.Underserved, a.LogE = top/per, top%per%s.plan.Arms, top%per >= s.plan.Arms, all[top]
}
