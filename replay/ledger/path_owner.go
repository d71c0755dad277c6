package ledger

import "math/big"

// Several bounds what somebody loses who owns the rounds of a run, ascending and from 1,
// under a PathLaw: the least of
//
//	Σ_t min(m_t·ℓ, F)                the decisions t that can use a reward, m_t the
//	                                 number of her rounds before t, ℓ what one decision
//	                                 costs one row and F what it costs whatever changes
//	Σ_t F_t                          from her first round on, where ℓ is not the same in
//	                                 every decision
//	Σ of what each of her rows costs at most
//
// where F is known (Whole). With F = ℓ, as of exploration and of a floor, she loses no
// more than by her first round alone (own derivation, internally reviewed).
//
// Special cases are:
//
//	the number of rounds of the run not fixed: ∞, unless nothing is lost
//	no rounds: 0
func (p *PathLaw) Several(rounds []int64) Loss {
	if len(rounds) == 0 || p.Epsilon().IsZero() || p.Rounds < 1 {
		return p.Epsilon().Times(min(1, int64(len(rounds))))
	}
	if _, even := p.Decisions.(Even); !even {
		return p.severalUneven(rounds)
	}
	one := p.Decisions.Last(1, p.Rounds)
	whole := Infinite()
	if p.Whole != nil {
		whole = p.Whole.Last(1, p.Rounds)
	}
	single, all := new(big.Int), int64(0) // Σ m_t of decisions below F, and number of the others
	for i, from := range rounds {
		end := p.Rounds // the last decision that knows of just these
		if i+1 < len(rounds) {
			end = min(end, rounds[i+1])
		}
		n := end - max(from, max(p.First, 2)-1)
		if n <= 0 {
			continue
		}
		if m := int64(i + 1); one.Times(m).Cmp(whole) < 0 {
			single.Add(single, new(big.Int).Mul(big.NewInt(n), big.NewInt(m)))
		} else {
			all += n
		}
	}
	total := Loss{}
	if single.Sign() > 0 {
		total = NewLoss(new(big.Rat).Mul(one.value(), new(big.Rat).SetInt(single)))
		if one.IsInf() {
			return one
		}
	}
	return total.Add(whole.Times(all))
}

// severalUneven is Several where decisions cost different amounts.
func (p *PathLaw) severalUneven(rounds []int64) Loss {
	if p.Whole != nil {
		return p.Whole.Last(min(p.used(), max(0, p.Rounds-rounds[0])), p.Rounds)
	}
	return p.Epsilon().Times(int64(len(rounds)))
}

// manyRounds is the most rounds of somebody that are looked at one by one.
const manyRounds = 1 << 20

// SeveralOf is Several for m ≥ 0 rounds, whichever they are: of the first m decisions know
// longest. Of very many it is the least of what each of her rows costs and of what all
// decisions cost whatever changes.
func (p *PathLaw) SeveralOf(m int64) Loss {
	if m <= manyRounds {
		first := make([]int64, m)
		for i := range first {
			first[i] = int64(i + 1)
		}
		return p.Several(first)
	}
	out := p.Epsilon().Times(m)
	if p.Whole != nil && p.Rounds >= 1 {
		if all := p.Whole.Last(p.used(), p.Rounds); all.Cmp(out) < 0 {
			out = all
		}
	}
	return out
}
