package schemas

import "fmt"

// ReplaySchema is the value of Replay.Schema.
const ReplaySchema = "replay.v1"

// Modes of conformance, best evidence first.
const (
	ModeSeed       = "seed"
	ModeReleased   = "released"
	ModePropensity = "propensity"
	ModeLaw        = "law"
	ModeExec       = "exec"
	ModeNone       = "none"
)

// Replay is replay.json: conformance and ledger of every experiment.
type Replay struct {
	Schema        string             `json:"schema" schema:"const=replay.v1"` // always ReplaySchema
	Tool          Tool               `json:"tool"`
	TableauSHA256 string             `json:"tableau_sha256" schema:"sha256"`
	Protocol      string             `json:"protocol_sha256" schema:"sha256"` // Protocol.MechanismDigest of what was replayed
	Experiments   []ReplayExperiment `json:"experiments"`
}

// ReplayExperiment is the replay of one experiment.
type ReplayExperiment struct {
	ID          string      `json:"id"`
	Conformance Conformance `json:"conformance"`
	Privacy     Accounting  `json:"privacy"`
}

// Conformance is the outcome of a teacher-forced replay.
type Conformance struct {
	Mode string `json:"mode" schema:"words=seed|released|propensity|law|exec|none"`
	// Undrawn says that the declared policy draws nothing, and sees no noise: in mode
	// seed no seed was needed, and one that is declared decides nothing.
	Undrawn       bool      `json:"undrawn"`
	Rounds        int64     `json:"rounds"`
	Replayable    int64     `json:"replayable"`
	Matched       int64     `json:"matched"`
	FirstMismatch *Mismatch `json:"first_mismatch"`
	LastMismatch  *int64    `json:"last_mismatch" schema:"range=[1,inf)"` // round; null where there is none
	// Starting counts rounds that do not match and in which an arm that could be played
	// had no released reward; of policies that play such an arm before all others.
	Starting int64 `json:"starting"`
	// InTurn counts rounds that do not match, and would where the policy counted its own
	// plays as they come, and not as of its last update; 0 where a round that matches
	// then would not. In the modes seed and propensity.
	InTurn int64 `json:"in_turn"`
	// NearTies is null where nothing is replayed, the policy compares no indices, or
	// policy.near_ties is 0.
	NearTies *NearTies `json:"near_ties"`
	// Choices is null where nothing is replayed, or the declaration leaves no choice open.
	Choices *FreeChoices `json:"free_choices"`
	// Hints is null where all that was replayed matches, where the log contradicts the
	// mechanism whatever its options are, and where the policy chooses by logged released
	// values, is a program, or is compared with shares of draws.
	Hints *Hints `json:"hints"`
	// Rewards is null where the replay contradicts nothing, or goes by no rewards, or
	// they are at the ends of their range alone, or are written in full.
	Rewards *RewardsWritten `json:"rewards_written"`
	// Binding is null where nothing was replayed, not all of the log is as the policy
	// has it, or its propensities are compared as shares of draws.
	Binding *Binding `json:"binding"`
	// Propensities is null where none are logged, or none can be recomputed.
	Propensities *PropensityReplay `json:"propensities"`
	// Law is null where actions are not held against propensities that are recomputed from
	// the logged rewards: in the modes law and propensity they are, of a policy that reads them.
	Law *LawReplay `json:"law"`
	// Program is null where the declared policy is no program.
	Program *ProgramReplay `json:"program"`
	// Released is null where no released values are logged, or the policy reads
	// none.
	Released *ReleasedReplay `json:"released"`
}

// NearTies are rounds in which several indices lay within the declared window of
// the largest, so that rounding may decide between them. They are among those
// that match, whichever of these the log has.
type NearTies struct {
	Window  float64   `json:"window" schema:"range=(0,1)"`  // policy.near_ties, relative to the largest index
	Rounds  int64     `json:"rounds"`                       // with several indices within it
	Used    int64     `json:"used"`                         // of these, in which the log has another than the policy chooses here
	Largest *float64  `json:"largest" schema:"range=[0,1)"` // part of the largest index by which one of those was smaller; null where Used is 0
	First   []NearTie `json:"first" schema:"count=(-inf,8]"`
}

// Rests reports whether any round is right within the window alone.
func (t *NearTies) Rests() bool { return t != nil && t.Used > 0 }

// NearTie is a round whose action is right within the window alone.
type NearTie struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"`
	Logged   string  `json:"logged"`   // arm label
	Replayed string  `json:"replayed"` // arm label
	Gap      float64 `json:"gap" schema:"range=[0,1)"`
}

// Mismatch is the first round whose logged action is not the policy's.
type Mismatch struct {
	Round    int64  `json:"round" schema:"range=[1,inf)"` // 1-based
	Logged   string `json:"logged"`                       // arm label
	Replayed string `json:"replayed"`                     // arm label
	// Gap is how far the index of the logged arm lies below the largest, relative to
	// that; null where no indices decided.
	Gap *float64 `json:"gap" schema:"range=[0,inf)"`
}

// PropensityReplay holds the logged propensities, of the action and of all
// arms, against those that the replay gives.
type PropensityReplay struct {
	Rounds           int64               `json:"rounds"`                                   // in which they were compared
	Matched          int64               `json:"matched"`                                  // where they are CONSISTENT as shares of draws: all that some draws give
	Decimals         *int64              `json:"decimals" schema:"range=[1,7]"`            // that write every logged propensity of an action, 1 to 7; null: more
	DecimalsByArm    *int64              `json:"decimals_by_arm" schema:"range=[1,7]"`     // likewise, of those of all arms; null also where they are not logged
	Digits           *int64              `json:"digits" schema:"range=[1,6]"`              // significant digits that write every logged propensity of an action, 1 to 6, where they are fewer than the decimals; null: more
	DigitsByArm      *int64              `json:"digits_by_arm" schema:"range=[1,6]"`       // likewise, of those of all arms
	OwnDecimals      *int64              `json:"own_decimals" schema:"range=[3,7]"`        // fewest decimals, at least 3, of the rounded values of a column that mixes them with values in full, or of several numbers of decimals: each is then known to half a unit of its own last; null where it mixes none
	OwnDecimalsByArm *int64              `json:"own_decimals_by_arm" schema:"range=[3,7]"` // likewise, of those of all arms
	Float16          bool                `json:"float16"`                                  // whether all are float16, and known to half a unit in its last place
	Float16ByArm     bool                `json:"float16_by_arm"`                           // likewise, of those of all arms
	Resolution       *float64            `json:"resolution" schema:"range=(0,inf)"`        // log.propensity_resolution; null where it is not declared
	Kept             int64               `json:"kept"`                                     // rounds that were not compared: later ones of a unit that may keep its arm, with that arm and the logged propensities of the unit's first round, which are not those of the policy now
	Starting         int64               `json:"starting"`                                 // rounds beyond tolerance in which an arm that could be played had no released reward; see Conformance
	InTurn           int64               `json:"in_turn"`                                  // rounds beyond tolerance that would match where the policy counted its own plays as they come; see Conformance
	Arithmetic       int64               `json:"arithmetic"`                               // rounds beyond tolerance in which no difference is larger than other arithmetic makes: 1e-5 of the larger, 5e-7, and what is written
	Remainder        int64               `json:"remainder"`                                // rounds beyond tolerance in which the last arm alone differs, by no more than what the rounded others leave
	Draws            *PropensityDraws    `json:"draws"`                                    // where they are, or may be, shares of draws; null otherwise
	FirstMismatch    *PropensityMismatch `json:"first_mismatch"`
	Worst            *PropensityMismatch `json:"worst"` // the largest deviation
	Batches          []PropensityBatch   `json:"batches" schema:"count=(-inf,512]"`
	Hypotheses       []Hypothesis        `json:"hypotheses"`
}

// PropensityBatch is the comparison within one batch, or within one stretch of
// rounds where no batches are declared. At most 512 are kept: neighbours are
// joined where there are more.
type PropensityBatch struct {
	First   int64   `json:"first" schema:"range=[1,inf)"` // round
	Last    int64   `json:"last" schema:"range=[1,inf)"`
	Rounds  int64   `json:"rounds"`
	Beyond  int64   `json:"beyond"`                         // rounds beyond tolerance
	Largest float64 `json:"largest" schema:"range=[0,inf)"` // deviation
}

// PropensityMismatch is a round with a logged propensity that is not the
// policy's.
type PropensityMismatch struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"` // 1-based
	Arm      string  `json:"arm"`                          // label
	Logged   float64 `json:"logged"`
	Replayed float64 `json:"replayed"`
}

// PropensitiesAlone reports whether every logged action is that of the declared policy, and
// some logged propensity is not.
func (c *Conformance) PropensitiesAlone() bool {
	p := c.Propensities
	return p != nil && p.Draws == nil && p.Matched < p.Rounds && (c.Mode == ModePropensity || c.Replayable > 0 && c.Matched == c.Replayable)
}

// Wagered is the wager against recomputed propensities that decides: given released values, or
// by the law of the policy; nil where there is none.
func (c *Conformance) Wagered() *AllocationTest {
	switch {
	case c.Released != nil && c.Released.Allocation != nil:
		return c.Released.Allocation
	case c.Law != nil:
		return &c.Law.Allocation
	}
	return nil
}

// Fewest counts the rounds that match, and those that were compared: of the logged
// propensities where these alone do not match, else of the actions.
func (c *Conformance) Fewest() (matched, of int64) {
	if c.PropensitiesAlone() {
		return c.Propensities.Matched, c.Propensities.Rounds
	}
	return c.Matched, c.Replayable
}

// PlaysInTurn reports whether a log that is not that of the declared policy would be, by
// all actions and propensities that were compared, where the policy counted its own plays
// as they come, and not as of its last update: it chooses by them among arms of which no
// reward is known.
func (c *Conformance) PlaysInTurn() bool {
	p := c.Propensities
	if c.Mode != ModeSeed && c.Mode != ModePropensity || p != nil && p.Draws != nil {
		return false
	}
	wrong, other := c.Replayable-c.Matched, int64(0)
	if p != nil {
		other = p.Rounds - p.Matched
		if other != p.InTurn {
			return false
		}
	}
	return wrong+other > 0 && wrong == c.InTurn
}

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

// MostBindings bounds the arms of a Binding.
const MostBindings = 64

// RewardsWritten is how finely rewards are written, by which a replay contradicts the
// policy: it may have read them in full.
type RewardsWritten struct {
	Decimals *int64 `json:"decimals" schema:"range=[0,6]"` // that write every reward; null: more than 6
	Float32  bool   `json:"float32"`                       // whether all are float32, and float64 would have written some otherwise
}

// Binding says how many rewards of a log can be changed so that the replay is what
// it was: every action that the policy chooses, every propensity that is compared,
// within its tolerance, and every released value.
type Binding struct {
	Any  bool         `json:"any"`                           // the policy reads no rewards: any number of any arm
	Arms []ArmBinding `json:"arms" schema:"count=(-inf,64]"` // that were measured, those played most first
	Left int64        `json:"left"`                          // arms that were not: the log is too long, or they are too many
}

// ArmBinding is the Binding of one arm: rewards set to the upper end of the range, or to the lower.
type ArmBinding struct {
	Arm  string     `json:"arm"`
	Up   Changeable `json:"up"`
	Down Changeable `json:"down"`
}

// Changeable counts rewards of an arm that can all be set to an end of the range.
// AtLeast is a lower bound: the last so many were changed, and others may pass
// too.
type Changeable struct {
	AtLeast int64 `json:"at_least"`
	Of      int64 `json:"of"` // that are not at that end
}

// Most returns the arm of which most rewards are known to pass, in one direction; nil
// where none of any arm is.
func (b *Binding) Most() *ArmBinding {
	var out *ArmBinding
	most := int64(0)
	for i := range b.Arms {
		if n := max(b.Arms[i].Up.AtLeast, b.Arms[i].Down.AtLeast); n > most {
			out, most = &b.Arms[i], n
		}
	}
	return out
}

// Words say how many rewards of the arm, which is named so, could be set to an end of
// the range, of those that are not there, in both directions, the larger number first.
// Of a direction in which there are none nothing is said.
func (a *ArmBinding) Words(named string, lo, hi float64) string {
	first, second := a.Down.words("above", lo), a.Up.words("below", hi)
	if a.Up.AtLeast > a.Down.AtLeast {
		first, second = second, first
	}
	out := "of arm " + named + " " + fmt.Sprintf(first, " rewards", " could be set")
	if a.Up.Of > 0 && a.Down.Of > 0 {
		out += ", and " + fmt.Sprintf(second, "", "")
	}
	return out
}

// words say how many rewards on one side of an end could be set to it; what is %s is
// for the noun and the verb.
func (c Changeable) words(side string, end float64) string {
	which := "at least " + Grouped(c.AtLeast) + " of " + Grouped(c.Of)
	if c.AtLeast == c.Of {
		which = "all " + Grouped(c.Of)
	}
	return fmt.Sprintf("%s%%s %s %g%%s to %g", which, side, end, end)
}
