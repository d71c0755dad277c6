package tableau

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// One value that may not be there is an error that names its row and column,
// wherever it stands.
func TestOpenChecksEveryColumn(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(b *Batch)
		says  string
	}{
		"context by arm NaN":        {func(b *Batch) { b.ContextByArm[7*10+9] = math.NaN() }, "row 7: context_by_arm is not finite"},
		"context by arm infinite":   {func(b *Batch) { b.ContextByArm[0] = math.Inf(1) }, "row 0: context_by_arm is not finite"},
		"released NaN":              {func(b *Batch) { b.ReleasedByArm[14*5+4] = math.NaN() }, "row 14: released_by_arm is not finite"},
		"propensity by arm NaN":     {func(b *Batch) { b.PropensityByArm[3*5] = math.NaN() }, "row 3: propensity_by_arm is outside [0, 1]"},
		"target NaN":                {func(b *Batch) { b.Targets[3*6] = math.NaN() }, "row 3: a probability of an evaluated policy is outside [0, 1]"},
		"target above 1":            {func(b *Batch) { b.Targets[4*6+5] = math.Nextafter(1, 2) }, "row 4: a probability of an evaluated policy"},
		"target below 0":            {func(b *Batch) { b.Targets[4*6] = -math.SmallestNonzeroFloat64 }, "row 4: a probability of an evaluated policy"},
		"propensity by arm above 1": {func(b *Batch) { b.PropensityByArm[3*5+4] = math.Nextafter(1, 2) }, "row 3: propensity_by_arm"},
		"propensity by arm below 0": {func(b *Batch) { b.PropensityByArm[4*5] = -math.SmallestNonzeroFloat64 }, "row 4: propensity_by_arm"},
		"not eligible":              {func(b *Batch) { b.Eligible[12*5+int(b.Arm[12])] = false }, "row 12: the logged arm 2 is not eligible"},
		"batch not from 0":          {func(b *Batch) { b.Batch[10] = 1 }, "row 10: batch 1 at the start of an experiment"},
		"batch left out":            {func(b *Batch) { b.Batch[6] = 3 }, "row 6: batch 3 after batch 1"},
		"batch again":               {func(b *Batch) { b.Batch[9] = 2; b.Batch[8] = 3 }, "row 9: batch 2 after batch 3"},
		"negative batch":            {func(b *Batch) { b.Batch[1] = -1 }, "row 1: batch -1 after batch 0"},
		"unit beyond the rows":      {func(b *Batch) { b.Unit[11] = 5 }, "row 11: unit 5 in an experiment of 5 rows"},
		"negative unit":             {func(b *Batch) { b.Unit[2] = -1 }, "row 2: unit -1"},
		"unit left out":             {func(b *Batch) { b.Unit[0], b.Unit[4], b.Unit[8] = 1, 1, 1 }, "experiment 0: unit 0 does not occur, but unit 3 does"},
		"reward known too early":    {func(b *Batch) { b.RewardRound[5] = 5 }, "row 5: reward_round 5 of round 6"},
		"known before and after":    {func(b *Batch) { b.RewardBefore[5] = b.RewardRound[5] + 1 }, "row 5: reward_before"},
		"before, and never":         {func(b *Batch) { b.RewardBefore[5] = NeverKnown }, "row 5: reward_before"},
		"a negative count":          {func(b *Batch) { b.RewardBefore[5] = -1 }, "row 5: reward_before -1"},
		"no position":               {func(b *Batch) { b.Position[11] = 1000 }, "row 11: position is outside [0, 1000)"},
		"a negative position":       {func(b *Batch) { b.Position[3] = -1 }, "row 3: position is outside"},
		"no draws":                  {func(b *Batch) { b.Draws[11] = 0 }, "row 11: propensity_draws is outside [1, 1000000000]"},
		"too many draws":            {func(b *Batch) { b.Draws[14] = MostDraws + 1 }, "row 14: propensity_draws is outside"},
		"a negative number":         {func(b *Batch) { b.Draws[0] = math.MinInt64 }, "row 0: propensity_draws is outside"},
		"reward known after all":    {func(b *Batch) { b.RewardRound[5] = 11 }, "row 5: reward_round 11 of round 6, in an experiment whose last round is 10"},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := sampleAll(1, 10, 5)
			tc.spoil(&b)
			path, _ := write(t, s, b)
			_, err := Open(path, s)
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, which should say %q", err, tc.says)
			}
		})
	}
}

// Values at the ends of their ranges are taken, a negative zero too.
func TestOpenTakesEnds(t *testing.T) {
	s, b := sampleAll(1, 10, 5)
	b.PropensityByArm[0], b.PropensityByArm[1], b.PropensityByArm[2] = 0, 1, math.Copysign(0, -1)
	b.ContextByArm[0], b.ReleasedByArm[0], b.X[0][0] = math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64
	b.RewardRound[9], b.RewardRound[8] = 10, NeverKnown
	b.RewardBefore[9], b.RewardBefore[8] = 0, NeverKnown
	b.Draws[0], b.Draws[1] = 1, MostDraws
	b.Position[0], b.Position[1] = 0, 999
	path, _ := write(t, s, b)
	if got := open(t, path, s).Slice(0).Chunk(0).PropensityByArm[1]; got != 1 {
		t.Errorf("got %g", got)
	}
}

// What continues over the end of a record batch is compared with what was
// before it, and of several errors the first is told, whoever finds it.
func TestOpenChecksOverBatches(t *testing.T) {
	s, b := sampleAll(1, 3*BatchRows/2)
	n := s.BatchRows()
	for name, tc := range map[string]struct {
		spoil func(b *Batch)
		says  string
	}{
		"round again":    {func(b *Batch) { b.Round[n] = b.Round[n-1] }, "round 32768 after round 32768"},
		"batch left out": {func(b *Batch) { b.Batch[2*n] += 2 }, "row 65536: batch 21847 after batch 21845"},
		"the first of many": {func(b *Batch) {
			for row := n / 2; row < len(b.Arm); row += n / 2 {
				b.ContextByArm[row*10] = math.NaN()
			}
		}, "row 16384: context_by_arm"},
	} {
		bad := b
		bad.Round, bad.Batch, bad.ContextByArm = clone(b.Round), clone(b.Batch), clone(b.ContextByArm)
		tc.spoil(&bad)
		path, _ := write(t, s, bad)
		if _, err := Open(path, s); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, which should say %q", name, err, tc.says)
		}
	}
}

func clone[T any](v []T) []T { return append([]T{}, v...) }

// The gate checks what is missing, and every arm's reward.
func TestGateChecksMissingAndByArm(t *testing.T) {
	payload := math.Float64frombits(missingBits + 1)
	for name, tc := range map[string]struct {
		spoil func(s *Schema, b *Batch)
		says  string
	}{
		"nothing":                       {func(*Schema, *Batch) {}, ""},
		"missing where none may be":     {func(s *Schema, _ *Batch) { s.MissingReward = false }, "row 3: the reward is not"},
		"another NaN is made the same":  {func(_ *Schema, b *Batch) { b.Reward[3], b.RewardByArm[1] = payload, -payload }, ""},
		"infinite":                      {func(_ *Schema, b *Batch) { b.Reward[2] = math.Inf(1) }, "row 2: the reward is not"},
		"other arm out of range":        {func(_ *Schema, b *Batch) { b.RewardByArm[4*5+1] = 2 }, "row 4: a reward of reward_by_arm"},
		"not that of the logged arm":    {func(_ *Schema, b *Batch) { b.Reward[6] = math.Nextafter(b.Reward[6], 2) }, "row 6: the reward is not that of the logged arm"},
		"that of the logged arm is NaN": {func(_ *Schema, b *Batch) { b.RewardByArm[6*5+int(b.Arm[6])] = payload }, "row 6: the reward is not that of the logged arm"},
		"missing, known by arm":         {func(_ *Schema, b *Batch) { b.RewardByArm[3*5+int(b.Arm[3])] = 1 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := sampleAll(0, 10)
			s.Reward = [2]float64{0, 1}
			tc.spoil(&s, &b)
			path, _ := write(t, s, b)
			slice := open(t, path, s).Slice(0)
			for range 2 { // the second time from memory
				_, err := slice.Disclose(&ledgerBook{}, "p")
				switch {
				case tc.says == "" && err != nil:
					t.Error(err)
				case tc.says != "" && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says)):
					t.Errorf("got %v, which should say %q", err, tc.says)
				}
			}
		})
	}
}

// A NaN with another pattern in the file is damage, though it reads as NaN.
func TestGateRefusesOtherNaN(t *testing.T) {
	s, b := sampleAll(0, 10)
	path, _ := write(t, s, b)
	tab := newTableau(inMemory(readFile(t, path)), s)
	if err := tab.load(); err != nil {
		t.Fatal(err)
	}
	tab.batches[0].int64s(colReward, 0, 10)[3]++
	if _, err := tab.Slice(0).Disclose(&ledgerBook{}, "p"); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

func TestDiscloseByArmNeedsTheColumn(t *testing.T) {
	s, b := sample(false, 0, 3)
	path, _ := write(t, s, b)
	book := &ledgerBook{}
	if _, err := open(t, path, s).Slice(0).Disclose(book, "p", RewardByArm); err == nil || len(book.entries) > 0 {
		t.Errorf("%v, booked %v", err, book.entries)
	}
}

// A missing reward is never fed.
func TestFeedSkipsMissing(t *testing.T) {
	s, b := sampleAll(0, 10)
	path, _ := write(t, s, b)
	to := &adds{}
	feed, err := open(t, path, s).Slice(0).Feed(&ledgerBook{}, "law", to)
	if err != nil {
		t.Fatal(err)
	}
	for row := range int64(10) {
		if known := feed.Row(row); known != (row != 3) {
			t.Errorf("row %d was fed: %v", row, known)
		}
	}
	if len(to.rewards) != 9 {
		t.Errorf("%d rewards were fed", len(to.rewards))
	}
}
