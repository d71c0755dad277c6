package schemas

// PropensityDraws holds logged propensities as shares of N draws against the
// recomputed ones. A share of N draws is off by about √(p(1−p)/N), which is no
// fault.
type PropensityDraws struct {
	Declared string `json:"declared"`                                    // log.propensity_draws as it stands; "" where it is absent
	Drawn    string `json:"drawn" schema:"words=from-estimate|one-more"` // log.drawn
	N        *int64 `json:"n" schema:"range=[1,inf)"`                    // draws: declared, or those of the lattice; null: unknown, or of every round its own
	// Least, Median and Most are of the numbers of draws where log.propensity_draws
	// names a column: the smallest and the largest of all updates, and the median of
	// those that are kept, the lower of two; null otherwise.
	Least  *int64 `json:"least" schema:"range=[1,inf)"`
	Median *int64 `json:"median" schema:"range=[1,inf)"`
	Most   *int64 `json:"most" schema:"range=[1,inf)"`

	Lattice *int64 `json:"lattice" schema:"range=[1,inf)"` // all but off_lattice rounds are multiples of 1/lattice; null: none was found, or looked for
	Fewest  *int64 `json:"fewest" schema:"range=[1,inf)"`  // least number of draws that can be written with so few decimals: where the lattice may be that of the decimals d, p and cells are of so many; null otherwise
	// Estimate is about how many draws the propensities look like, from Low to High
	// at 95 %; null where it cannot be estimated: that of the played arm alone is
	// logged, one arm nearly always has all, or every update has its own number. Low alone: few decimals hide how many
	// more there were.
	Estimate *float64 `json:"estimate" schema:"range=[0,inf)"`
	Low      *float64 `json:"low" schema:"range=[0,inf)"`
	High     *float64 `json:"high" schema:"range=[0,inf)"`

	Updates    int64  `json:"updates"`                                  // rounds in a row with the same logged and the same recomputed propensities are one
	Kept       int64  `json:"kept"`                                     // updates that were held against their law: all, or every 2^j-th
	OffLattice int64  `json:"off_lattice"`                              // rounds of these that no draws give; they are left out, up to 1 %
	FirstOff   *int64 `json:"first_off_lattice" schema:"range=[1,inf)"` // round
	Zero       int64  `json:"zero"`                                     // rounds whose action has propensity 0

	D        *float64            `json:"d" schema:"range=[0,inf)"`        // Σ N·Σ(q−p)²/p; null where there are no cells, or N is not known
	Degrees  int64               `json:"degrees"`                         // its mean
	P        *float64            `json:"p" schema:"range=[0,1]"`          // of its upper tail, by redraws
	Redraws  int64               `json:"redraws"`                         // that were made; 0 where a bound decided
	Closer   bool                `json:"closer"`                          // closer to the recomputed ones than N draws can be
	Cells    int64               `json:"cells"`                           // shares that were held against their binomial law one by one
	CellP    *float64            `json:"cell_p" schema:"range=[0,1]"`     // the smallest of their p, not multiplied
	Worst    *PropensityMismatch `json:"worst"`                           // that cell
	RepeatP  *float64            `json:"repeat_p" schema:"range=[0,1]"`   // that the same shares come again from update to update as often; null where their number is not declared and not found
	Values   int64               `json:"values"`                          // different shares in the updates that are looked at so
	Tried    int64               `json:"tried"`                           // other laws that were tried beside the recomputed one
	Z        *float64            `json:"z" schema:"range=(-inf,inf)"`     // of the one that the propensities lean to, or away from, most
	Critical *float64            `json:"critical" schema:"range=[0,inf)"` // size of z that convicts
	Other    string              `json:"other"`                           // that law, where they lean to it; "" otherwise

	// Allocation holds the actions against the recomputed propensities, where they
	// were drawn by one more draw; null otherwise.
	Allocation *AllocationTest `json:"allocation"`

	Verdict Verdict `json:"outcome" schema:"words=CONSISTENT|VIOLATED|NOT ESTABLISHED"`
	Words   string  `json:"words" schema:"named"` // why
}

// Contradict reports whether the propensities are no shares of draws from the
// recomputed ones.
func (d *PropensityDraws) Contradict() bool { return d != nil && d.Verdict == Violated }
