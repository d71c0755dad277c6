package rerandomize

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/schemas"
)

// Defaults of the exact test by running again, fixed before any log was seen.
const (
	rerunBlock    = 10 // rounds, or units, of a block
	longBatch     = 5  // rounds between two updates from which on blocks cross none
	fewestBlocks  = 40 // that a policy which draws nothing needs where it learns seldom
	mostRerunSets = 1000
)

// permutation says which records change places between runs.
type permutation struct {
	words  string // what changes places, and on which condition the test is exact
	alike  string // what has to be exchangeable; "" where nothing changes places
	none   bool   // nothing does
	blocks []int32
	width  int   // rows of a piece; blocks are of pieces
	whole  bool  // records change places across blocks: these are for the statistic and the gate
	within []int // columns of the context that records which change places have in common
}

// exchangeIf is what records that change places rest on.
func (p *permutation) exchangeIf() string {
	if p.none {
		return ""
	}
	return schemas.ValidIfExchangeable + " (" + p.alike + ")"
}

// permutation is the declared one, or the one that units and batches leave. why is what
// stands against it; "" where nothing does.
func (s *Subject) permutation(p *rerunPolicy) (out permutation, why string) {
	analysis := &s.Protocol.Analysis
	declared, rounds := analysis.Rerun.Permute, p.records.rounds()
	switch {
	case declared == nil:
		return s.defaultPermutation(p)
	case declared.None && !p.draws:
		return out, "A1: the policy " + p.undrawn() + ", so that every run without a permutation is the log again (analysis.rerun.permute: none)"
	case declared.None:
		return withoutPermutation(rounds), ""
	case declared.Units != 0:
		return unitPermutation(p.records, declared.Units)
	case publiclog.Repeated(s.Facts.Slice):
		return out, fmt.Sprintf("A2: units own several rounds, and rewards of one may depend on each other (analysis.rerun.permute: %s); write {units: %d}, or none", declared, rerunBlock)
	case declared.Blocks != 0:
		return declaredBlocks(p, declared.Blocks)
	case declared.All:
		return wholePermutation(rounds), ""
	}
	out = permutation{blocks: randomization.Blocks(rounds, rerunBlock), width: 1, whole: true}
	if out.within, why = s.rerunColumns(declared.Within, "permute.within"); why != "" {
		return out, why
	}
	out.alike = "rewards of equal " + strings.Join(declared.Within, ", ") + ", over the whole log"
	out.words = fmt.Sprintf("records change places among those with equal %s, over the whole log; exact if rewards are exchangeable among these, and invalid where their level moves", strings.Join(declared.Within, ", "))
	return out, ""
}

// defaultPermutation is the one where none is declared.
func (s *Subject) defaultPermutation(p *rerunPolicy) (out permutation, why string) {
	rounds := p.records.rounds()
	switch longest := p.longest(); {
	case publiclog.Repeated(s.Facts.Slice) && p.draws:
		return withoutPermutation(rounds), ""
	case publiclog.Repeated(s.Facts.Slice):
		return unitPermutation(p.records, rerunBlock)
	case longest <= longBatch:
		return blockPermutation(rounds, rerunBlock), ""
	case !p.draws:
		return out, fmt.Sprintf("A1: the policy %s and learns only every %s at most, so that it plays one arm in every block of %d; declare analysis.rerun.permute: {blocks: B}, of several batches, with at least %d blocks in the log", p.undrawn(), schemas.Counted(int64(longest), "round"), rerunBlock, fewestBlocks)
	}
	return p.insidePermutation(), ""
}

// insidePermutation are blocks that cross no update.
func (p *rerunPolicy) insidePermutation() permutation {
	out, next := permutation{width: 1, blocks: make([]int32, 0, p.records.rounds())}, int32(0)
	p.stretches(func(from, to int) {
		for _, block := range randomization.Blocks(to-from, rerunBlock) {
			out.blocks = append(out.blocks, next+block)
		}
		next = out.blocks[len(out.blocks)-1] + 1
	})
	out.alike = withinBlocks(rerunBlock)
	out.words = fmt.Sprintf("records change places within blocks of %d rounds that begin anew where the policy learns, and cross no update; exact if rewards within blocks of %d rounds are exchangeable", rerunBlock, rerunBlock)
	return out
}

// withoutPermutation leaves every record where it is.
func withoutPermutation(rounds int) permutation {
	return permutation{words: "no record changes places, and the policy's own draws are made anew; exact whatever the law of the rewards", none: true, blocks: randomization.Blocks(rounds, rerunBlock), width: 1}
}

// wholePermutation lets every record go anywhere.
func wholePermutation(rounds int) permutation {
	return permutation{alike: "rewards over the whole log", words: "records change places over the whole log; exact if rewards are exchangeable over the whole log, and invalid where their level moves", blocks: randomization.Blocks(rounds, rerunBlock), width: 1, whole: true}
}

func blockPermutation(rounds, length int) permutation {
	words := fmt.Sprintf("records change places within blocks of %s rounds; exact if rewards within blocks of %s rounds are exchangeable", schemas.Grouped(int64(length)), schemas.Grouped(int64(length)))
	return permutation{words: words, alike: withinBlocks(int64(length)), blocks: randomization.Blocks(rounds, length), width: 1}
}

func withinBlocks(length int64) string {
	return "rewards within blocks of " + schemas.Grouped(length) + " rounds"
}

// declaredBlocks returns blocks of length rounds. A policy that draws nothing plays one arm
// between two updates: blocks then have to hold several, and to be many.
func declaredBlocks(p *rerunPolicy, length int64) (out permutation, why string) {
	rounds := p.records.rounds()
	out = blockPermutation(rounds, int(min(length, int64(rounds))))
	if p.draws || p.longest() <= longBatch {
		return out, ""
	}
	if n := out.blocks[rounds-1] + 1; n < fewestBlocks {
		return out, fmt.Sprintf("A1: the policy %s and learns only every %s at most, and blocks of %s rounds are %d; declare at least %d (analysis.rerun.permute)",
			p.undrawn(), schemas.Counted(int64(p.longest()), "round"), schemas.Grouped(length), n, fewestBlocks)
	}
	batches := make([]int, out.blocks[rounds-1]+1) // that each block has rounds of
	p.stretches(func(from, to int) {
		for block := out.blocks[from]; block <= out.blocks[to-1]; block++ {
			batches[block]++
		}
	})
	run := "each batch"
	if n := slices.Max(batches); n > 1 {
		run = fmt.Sprintf("each run of %d batches", n)
	}
	out.alike = "rewards within " + run
	out.words = fmt.Sprintf("records change places within blocks of %s rounds; exact if rewards within %s are exchangeable", schemas.Grouped(length), run)
	return out, ""
}

// unitPermutation swaps whole units, within runs of run units or over the whole log.
func unitPermutation(r *rerunRecords, run int64) (out permutation, why string) {
	if r.unit == 0 {
		return out, "A2: units can change places only where the rounds of every unit follow one another and are equally many (log.unit)"
	}
	units := r.rounds() / r.unit
	if run == schemas.AllUnits {
		return permutation{alike: "units over the whole log", words: "whole units change places over the whole log; exact if units are exchangeable over the whole log, and invalid where the level of rewards moves", blocks: randomization.Blocks(units, rerunBlock), width: r.unit, whole: true}, ""
	}
	words := fmt.Sprintf("whole units change places within runs of %s; exact if units that follow one another so closely are exchangeable", schemas.Counted(run, "unit"))
	return permutation{words: words, alike: "units within runs of " + schemas.Counted(run, "unit"), blocks: randomization.Blocks(units, int(min(run, int64(units)))), width: r.unit}, ""
}

// rerunColumns finds columns of the context.
func (s *Subject) rerunColumns(names []string, key string) (columns []int, why string) {
	for _, name := range names {
		for _, column := range s.Protocol.Log.Expand(name) {
			at := -1
			for i, have := range s.Facts.Manifest.Context {
				if have == column {
					at = i
				}
			}
			if at < 0 {
				return nil, fmt.Sprintf("A1: the log has no column %s of the context (analysis.rerun.%s)", schemas.Named(name), key)
			}
			columns = append(columns, at)
		}
	}
	return columns, ""
}

// groups numbers the sets of pieces that change places: within blocks, and of these only
// pieces with equal lags and columns. One with a missing reward, or with one that no
// round came after, stays.
func (p *permutation) groups(r *rerunRecords, equalLags bool) []int32 {
	if p.none {
		return nil
	}
	if !p.whole && r.lag == nil && p.within == nil && !missing(r.reward) {
		return p.blocks
	}
	out, next, sets := make([]int32, len(p.blocks)), int32(0), map[string]int32{}
	var key []byte
	for i := range out {
		if !p.whole && i > 0 && p.blocks[i] != p.blocks[i-1] {
			clear(sets)
		}
		var alone bool
		key, alone = p.key(key[:0], r, i, equalLags)
		g, found := sets[string(key)]
		if !found || alone {
			g = next
			next++
		}
		if !alone {
			sets[string(key)] = g
		}
		out[i] = g
	}
	return out
}

// key is what pieces that change places have in common, and whether a piece stays.
func (p *permutation) key(key []byte, r *rerunRecords, piece int, equalLags bool) (out []byte, alone bool) {
	for t := piece * p.width; t < (piece+1)*p.width; t++ {
		if r.reward[t] != r.reward[t] {
			return key, true
		}
		if r.lag != nil && !r.lagStays {
			if r.lag[t] == neverLag {
				return key, true
			}
			if equalLags {
				key = appendBits(key, uint64(r.lag[t])) //nolint:gosec // not negative
			}
		}
		for _, column := range p.within {
			key = appendBits(key, math.Float64bits(r.x[t*r.d+column]))
		}
	}
	return key, false
}

func appendBits(key []byte, word uint64) []byte {
	for range 8 {
		key, word = append(key, byte(word)), word>>8
	}
	return key
}

// missing reports whether a reward is.
func missing(rewards []float64) bool {
	for _, y := range rewards {
		if y != y {
			return true
		}
	}
	return false
}

// strata numbers the values of columns of the context, by row; nil where none is named.
func (r *rerunRecords) strata(columns []int) (out []int32, why string) {
	if columns == nil {
		return nil, ""
	}
	sets, next := map[string]int32{}, int32(0)
	var key []byte
	for t := range r.arm {
		key = key[:0]
		for _, column := range columns {
			key = appendBits(key, math.Float64bits(r.x[t*r.d+column]))
		}
		g, found := sets[string(key)]
		if !found {
			if g = next; g == mostRerunSets {
				return nil, fmt.Sprintf("A1: the column has more than %d values (analysis.rerun.strata)", mostRerunSets)
			}
			sets[string(key)] = g
			next++
		}
		out = append(out, g)
	}
	return out, ""
}
