package tableau

import (
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// Whatever columns a schema has and however rows are divided into batches, what
// is read is what was written.
func TestAnySchemaComesBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int64Range(1, 40), 1, 4).Draw(r, "rows")
		s, b := sampleAll(rapid.IntRange(0, 3).Draw(r, "contexts"), rows...)
		leaveOut(r, &s, &b)
		path := filepath.Join(dir, rapid.StringMatching(`[a-z]{12}`).Draw(r, "file"))
		w, err := NewWriter(path, s)
		if err != nil {
			r.Skip("the same name again")
		}
		for from := 0; from < len(b.Arm); {
			to := min(len(b.Arm), from+rapid.IntRange(0, 30).Draw(r, "batch"))
			part := rowsOf(&b, &s, from, to)
			if err = w.Append(&part); err != nil {
				r.Fatal(err)
			}
			from = to
		}
		digest, err := w.Close()
		if err != nil {
			r.Fatal(err)
		}
		tab, err := Open(path, s)
		if err != nil {
			r.Fatal(err)
		}
		defer func() {
			if err := tab.Close(); err != nil {
				r.Error(err)
			}
		}()
		if got, err := tab.Digest(); err != nil || got != digest {
			r.Errorf("digest %q, %v; the writer's was %q", got, err, digest)
		}
		for e, rng := range s.Experiments {
			slice := tab.Slice(e)
			rewards, err := slice.Disclose(&ledgerBook{}, "p")
			if err != nil {
				r.Fatal(err)
			}
			for i := range slice.Chunks() {
				c := slice.Chunk(i)
				row := int(rng.Offset + c.Start)
				checkChunk(t, &s, &c, &b, row)
				for j, y := range rewards.Chunk(i) {
					if !same(y, b.Reward[row+j]) {
						r.Errorf("row %d: reward %g, not %g", row+j, y, b.Reward[row+j])
					}
				}
			}
		}
	})
}

// leaveOut takes some columns out of a sample.
func leaveOut(r *rapid.T, s *Schema, b *Batch) {
	without := func(name string) bool { return !rapid.Bool().Draw(r, name) }
	if without("propensity") {
		s.Propensity, b.Propensity = false, nil
	}
	if without("context by arm") {
		s.ContextByArm, b.ContextByArm = 0, nil
	}
	if without("propensity by arm") {
		s.PropensityByArm, b.PropensityByArm = false, nil
	}
	if without("targets") {
		s.Targets, b.Targets = 0, nil
	}
	if without("released") {
		s.ReleasedByArm, b.ReleasedByArm = 0, nil
	}
	if without("reward by arm") {
		s.RewardByArm, b.RewardByArm = false, nil
	}
	if without("eligible") {
		s.Eligible, b.Eligible = false, nil
	}
	if without("batch column") {
		s.Batch, b.Batch = false, nil
	}
	if without("unit") {
		s.Unit, b.Unit = false, nil
	}
	if without("reward round") {
		s.RewardRound, b.RewardRound = false, nil
		s.RewardBefore, b.RewardBefore = false, nil
	}
	if without("time") {
		s.Time, b.Time = false, nil
	}
	if without("positions") {
		s.Positions, b.Position = 0, nil
	}
	if without("draws") {
		s.Draws, b.Draws = false, nil
	}
	if without("missing") {
		s.MissingReward = false
		for i, y := range b.Reward {
			if math.IsNaN(y) {
				b.Reward[i] = 0.5
			}
			for a := range s.Arms {
				if s.RewardByArm && (math.IsNaN(b.RewardByArm[i*s.Arms+a]) || a == int(b.Arm[i])) {
					b.RewardByArm[i*s.Arms+a] = b.Reward[i]
				}
			}
		}
	}
}
