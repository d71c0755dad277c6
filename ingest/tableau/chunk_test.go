package tableau

import (
	"math"
	"slices"
	"testing"
)

// Every column comes out of every chunk as it went in, with rows so many that
// experiments begin and end within record batches.
func TestChunkHasEveryColumn(t *testing.T) {
	s, b := sampleAll(2, 3, 70000, 1, 30001)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	if s.BatchRows() != BatchRows/2 {
		t.Fatalf("record batches of %d rows; the test is made for rows that are wider", s.BatchRows())
	}
	for e, rng := range s.Experiments {
		slice := tab.Slice(e)
		next := int64(0)
		for i := range slice.Chunks() {
			c := slice.Chunk(i)
			if c.Start != next {
				t.Fatalf("chunk %d of %q begins at %d, not at %d", i, rng.ID, c.Start, next)
			}
			checkChunk(t, &s, &c, &b, int(rng.Offset+next))
			next += int64(len(c.Arm))
		}
		if next != rng.Rows {
			t.Errorf("%d rows in chunks, not %d", next, rng.Rows)
		}
		if want := int(rng.Rows-1)/3 + 1; slice.BatchCount() != want {
			t.Errorf("%d batches, not %d", slice.BatchCount(), want)
		}
		if want := min(4, rng.Rows); slice.UnitCount() != want && rng.Rows != 3 { // unitOf puts 3 rows into one unit
			t.Errorf("%d units, not %d", slice.UnitCount(), want)
		}
	}
}

// checkChunk compares a chunk with the rows from row on.
func checkChunk(t *testing.T, s *Schema, c *Chunk, all *Batch, row int) {
	t.Helper()
	b := rowsOf(all, s, row, row+len(c.Arm))
	for name, equal := range map[string]bool{
		"round":             slices.Equal(c.Round, b.Round),
		"arm":               slices.Equal(c.Arm, b.Arm),
		"propensity":        slices.Equal(c.Propensity, b.Propensity),
		"x":                 slices.EqualFunc(c.X, b.X, slices.Equal[[]float64]),
		"context_by_arm":    slices.Equal(c.ContextByArm, b.ContextByArm),
		"propensity_by_arm": slices.Equal(c.PropensityByArm, b.PropensityByArm),
		"released_by_arm":   slices.Equal(c.ReleasedByArm, b.ReleasedByArm),
		"batch":             slices.Equal(c.Batch, b.Batch),
		"unit":              slices.Equal(c.Unit, b.Unit),
		"reward_before":     slices.Equal(c.RewardBefore, b.RewardBefore),
		"reward_round":      slices.Equal(c.RewardRound, b.RewardRound),
		"propensity_draws":  slices.Equal(c.Draws, b.Draws),
		"position":          slices.Equal(c.Position, b.Position),
		"time":              slices.Equal(c.Time, b.Time),
		"targets":           slices.Equal(c.Targets, b.Targets),
	} {
		if !equal {
			t.Errorf("rows from %d on have another %s", row, name)
		}
	}
	for i := range c.Arm {
		for a := range s.Arms {
			if want := len(b.Eligible) == 0 || b.Eligible[i*s.Arms+a]; c.Eligible(i, a) != want {
				t.Fatalf("row %d: arm %d is eligible: %v", row+i, a, !want)
			}
		}
	}
}

// Without its column, every arm is eligible and every other slice nil.
func TestChunkOfLeastColumns(t *testing.T) {
	s, b := sample(false, 0, 4)
	path, _ := write(t, s, b)
	slice := open(t, path, s).Slice(0)
	c := slice.Chunk(0)
	if !c.Eligible(2, 4) || c.ContextByArm != nil || c.PropensityByArm != nil || c.ReleasedByArm != nil || c.Batch != nil || c.Unit != nil || c.RewardRound != nil || c.RewardBefore != nil || c.Time != nil || c.Draws != nil || c.Targets != nil || c.Position != nil {
		t.Errorf("columns that are not there: %+v", c)
	}
	if slice.BatchCount() != 0 || slice.UnitCount() != 0 || slice.HasUnits() {
		t.Errorf("%d batches, %d units", slice.BatchCount(), slice.UnitCount())
	}
}

// Locate is the inverse of walking over the chunks.
func TestLocate(t *testing.T) {
	s, b := sample(false, 0, 7, 2*BatchRows, 1, BatchRows)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	for e := range s.Experiments {
		slice := tab.Slice(e)
		if slice.rng.Offset != s.Experiments[e].Offset || slice.Schema().Arms != 5 {
			t.Errorf("experiment %d begins at %d", e, slice.rng.Offset)
		}
		row := int64(0)
		for i := range slice.Chunks() {
			for j := range slice.Chunk(i).Arm {
				if chunk, at := slice.Locate(row); chunk != i || at != j {
					t.Fatalf("row %d of experiment %d is in chunk %d at %d, not in %d at %d", row, e, chunk, at, i, j)
				}
				row++
			}
		}
	}
}

// Missing rewards are what Arms marks, in a copy; AllArms is there only for
// whom it was booked.
func TestRewardsMissingAndByArm(t *testing.T) {
	s, b := sampleAll(0, 9, 40000)
	path, _ := write(t, s, b)
	slice := open(t, path, s).Slice(1)
	book := &ledgerBook{}
	plain, err := slice.Disclose(book, "test:H1", "arm")
	if err != nil {
		t.Fatal(err)
	}
	full, err := slice.Disclose(book, "replay", RewardByArm)
	if err != nil {
		t.Fatal(err)
	}
	row, missing := 9, int64(0)
	for i := range slice.Chunks() {
		c := slice.Chunk(i)
		arms, rewards, all := full.Arms(i), full.Chunk(i), full.AllArms(i)
		if plain.AllArms(i) != nil {
			t.Fatal("every arm's rewards were read without being booked")
		}
		for j := range c.Arm {
			want := b.Arm[row]
			if math.IsNaN(b.Reward[row]) {
				want = -1
				missing++
			}
			if arms[j] != want || c.Arm[j] != b.Arm[row] || !same(rewards[j], b.Reward[row]) || !slices.EqualFunc(all[j*5:j*5+5], b.RewardByArm[row*5:row*5+5], same) {
				t.Fatalf("row %d: arm %d, reward %g, of every arm %v", row, arms[j], rewards[j], all[j*5:j*5+5])
			}
			row++
		}
	}
	if missing == 0 || plain.Missing() != missing {
		t.Errorf("%d rewards are missing, not %d", plain.Missing(), missing)
	}
	if got := book.entries[1]; got != "disclose replay 40000 [reward reward_by_arm]" {
		t.Errorf("booked %q", got)
	}
}

// same reports whether x and y are equal or both missing.
func same(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
