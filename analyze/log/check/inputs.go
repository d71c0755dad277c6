// Package check holds the data checks H01…H15, one file each: facts gathered
// from a tableau in, a [schemas.Check] out. Facts are made of public columns, but
// for Drift and Missing; no check reads a reward itself.
//
// A check that cannot be carried out is not left out: its status is "not run"
// and its detail names the column that would make it possible.
//
// # Add a check
//
// A check is a file NAME.go: a Check, whose Doc is the question that it asks and whose numbers
// are given by Measure, the one that it goes by first. It is a line of Checks, with its measures
// in measures_test.go; where data.quality stands on it, topics/verdicts.md says so.
package check

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/precision"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// Inputs is what the checks look at, for one experiment.
type Inputs struct {
	Rounds      int64
	Labels      []string
	Declared    bool      // arms were declared, not found in the log
	Pulls       []int64   // per arm
	Unplayed    *Unplayed // nil where every arm was played, or nothing is known of probabilities
	Order       []string
	Unpadded    []string           // order columns of texts that are numbers of unequal length
	TiesByFile  bool               // ties were settled by the order of rows in the files
	Repeats     *Repeats           // of the log
	Gaps        int64              // steps of the single whole-number order column that are not 1
	Horizon     int64              // rounds the counter was declared for; 0 where none is
	Experiments int                // of the log, by which the level of tests is shared
	Counts      []schemas.ArmCount // rewards that were clipped or are missing, and nulls that have a meaning, by reason and arm
	AllRewards  bool               // the log has the rewards of all arms, which Counts counts
	Missing     []int64            // rows of each arm whose reward is missing; nil where none may be
	Quarters    []Quarter          // of the log, with Missing; nil where none may be
	Rule        string             // how the protocol declares missing rewards
	Units       *Units             // nil where no unit is declared
	Batches     bool               // batches are declared
	Varying     bool               // propensities may follow contexts or eligible arms
	Files       int
	Columns     int
	Regressions []schemas.Regression
	Drift       *Drift   // of the known rewards
	Beyond      []string // weighted estimates whose interval lies outside the range of the reward; nil without any
	// Propensities is nil where none is logged.
	Propensities *Propensities
	Margin       *Propensities // what H05 has of recomputed propensities, in the place of logged ones; nil where none are
	Splits       *Splits       // nil where no propensity is logged, recomputed, or declared by a policy that reads no rewards
}

// Propensities are the facts about the logged action's propensity.
type Propensities struct {
	Drawn            string         // on which rounds H05 goes, where not on all: those that are known to be drawn by themselves
	Open             string         // why the log cannot show that actions were drawn, and what would settle it; "" where it can
	Sticky           string         // how often units played the arm of their round before; "" where that is not known
	Given            string         // that arms are held against the probabilities given that a row is in the log; "" where against the logged ones
	WhyNotRandomized string         // why rows that were kept in the log were not drawn with their propensities; "" where they were
	Selected         string         // the keys by which rows may have been dropped by their arm; "" where none was
	Ends             precision.Ends // how exactly those are known that H05 rests on
	Allocation       allocationtest.AllocationResult
	Exactly          string // what shows that they were not rounded (precision.Exact); "" where nothing does
	Recomputed       bool   // they are recomputed from the declared policy, of all arms
	OneMore          bool   // they are shares of draws, and actions were drawn by one more: H05 and H17 do not rest on them
	Zero             int64  // rows whose action has propensity 0, which one more draw can play
	Weights          allocationtest.WeightsResult
	Choices          float64         // arms that could be played, on average over rounds
	Lattice          *Lattice        // nil where propensities lie on none
	ByArm            *ByArm          // nil where the propensities of all arms are not logged
	Schedule         *Schedule       // nil without batches
	Cadence          *ChangeSchedule // inferred; nil with batches, and where propensities follow what could be played
}

// Lattice says that all but 1 % of the logged propensities are multiples of 1/N,
// which is not by chance.
type Lattice struct {
	N   int64
	Off int64   // rows that are none
	At  []int64 // the first of these, at most 8: rows from 0
}

// Units are the facts about units that own several rows.
type Units struct {
	Count   int64 // units
	Largest int64 // most rows of one unit
	Pairs   int64 // pairs of unit and batch with at least two rows; 0 without batches
	Several int64 // of these, how many met more than one arm
}

// Schedule says in how many batches the propensity of an arm changed.
type Schedule struct{ Batches, Changed int64 }

// Find returns the check with the given id.
func Find(checks []schemas.Check, id string) *schemas.Check {
	for i := range checks {
		if checks[i].ID == id {
			return &checks[i]
		}
	}
	return nil
}

// probability is e^logP. A p below the smallest float64 is rounded up to it:
// 0 would claim more than is known.
func probability(logP float64) float64 {
	p := bitexact.Exp(logP)
	if p == 0 && !math.IsInf(logP, -1) {
		return math.SmallestNonzeroFloat64
	}
	return p
}

func rows(n int64) string { return schemas.Counted(n, "row") }

// figure writes a number of four digits, in the form that counts have.
func figure(x float64) string {
	const whole, grouped = 999.95, 1e9
	if !(math.Abs(x) >= whole && math.Abs(x) < grouped) {
		return fmt.Sprintf("%.4g", x)
	}
	step := math.Pow10(int(math.Floor(math.Log10(math.Abs(x)))) - 3)
	return schemas.Grouped(int64(float64(math.Round(x/step) * step)))
}

// percent writes a deviation in per cent, with its sign.
func percent(x float64) string {
	const long = 999.5 // from which three digits would be written with an exponent
	switch {
	case x >= long:
		return "+" + figure(x) + " %"
	case x <= -long:
		return figure(x) + " %"
	}
	return fmt.Sprintf("%+.3g %%", x)
}

// Quarter is what a part of the log, of a quarter of its rows, has of every arm.
type Quarter struct{ Missing, Pulls []int64 }
