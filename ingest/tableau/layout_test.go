package tableau

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestBatchRows(t *testing.T) {
	for name, tc := range map[string]struct {
		s     Schema
		bytes int64
		rows  int
	}{
		"least":                     {Schema{}, 24, 65536},
		"256 bytes":                 {Schema{ContextDim: 29}, 256, 65536},
		"264 bytes":                 {Schema{ContextDim: 30}, 264, 32768},
		"widest flat":               {Schema{ContextDim: maxContextDim}, 24 + 8*maxContextDim, 32},
		"100 arms, 50 contexts":     {Schema{Arms: 100, ContextByArm: 50}, 24 + 40000, 256},
		"bits":                      {Schema{Arms: 9, Eligible: true}, 24 + 2, 65536},
		"every column":              {Schema{Arms: 2, Propensity: true, ContextDim: 1, ContextByArm: 3, PropensityByArm: true, ReleasedByArm: 3, RewardByArm: true, Eligible: true, Batch: true, Unit: true, RewardRound: true, RewardBefore: true, Time: true, Draws: true, Positions: 1000, Stratum: true}, 40 + 8*2*(3+1+3+1) + 1 + 4 + 8 + 8 + 8 + 8 + 8 + 8 + 8, 65536},
		"one row":                   {Schema{Arms: 1, ContextByArm: BatchBytes/8 - 3}, BatchBytes, 1},
		"half a batch and a little": {Schema{Arms: 1, ContextByArm: BatchBytes / 16}, BatchBytes/2 + 24, 1},
	} {
		if err := tc.s.validateColumns(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := tc.s.RowBytes(); got != tc.bytes {
			t.Errorf("%s: rows of %d bytes, not %d", name, got, tc.bytes)
		}
		if got := tc.s.BatchRows(); got != tc.rows {
			t.Errorf("%s: batches of %d rows, not %d", name, got, tc.rows)
		}
		if got := tc.s.WriterBytes(); got > writerFrames*(BatchBytes+8*int64(len(tc.s.layout().fields))) || got < writerFrames*int64(tc.rows)*(tc.bytes-1) {
			t.Errorf("%s: a writer of %d bytes", name, got)
		}
	}
}

func TestSchemaRefusesWidths(t *testing.T) {
	one := []Range{{"a", 0, 2}}
	for name, s := range map[string]Schema{
		"a row beyond a batch":       {Arms: 1, ContextByArm: BatchBytes/8 - 2, Experiments: one},
		"negative context by arm":    {Arms: 1, ContextByArm: -1, Experiments: one},
		"negative released by arm":   {Arms: 1, ReleasedByArm: -1, Experiments: one},
		"product overflows":          {Arms: math.MaxInt32, ContextByArm: math.MaxInt, Experiments: one},
		"too many arms with columns": {Arms: math.MaxInt32, Eligible: true, Experiments: one},
	} {
		if err := s.Validate(); err == nil {
			t.Errorf("%s: no fault found", name)
		}
	}
	if err := (&Schema{Arms: math.MaxInt32, Experiments: one}).Validate(); err != nil {
		t.Errorf("many arms without a column by arm: %v", err)
	}
	if err := (&Schema{ContextDim: -1, PropensityByArm: true, ContextByArm: -1, ReleasedByArm: -1, Targets: -1}).validateColumns(); strings.Count(err.Error(), "tableau:") != 5 {
		t.Errorf("not every fault: %v", err)
	}
}

// Columns stand in the order of the file's documentation.
func TestColumnOrder(t *testing.T) {
	s, _ := sampleAll(2, 1)
	names := []string{}
	for _, f := range s.layout().fields {
		names = append(names, f.name)
	}
	want := strings.Fields("experiment round arm reward propensity x0 x1 context_by_arm propensity_by_arm released_by_arm reward_by_arm eligible batch unit reward_round reward_before time propensity_draws targets position")
	if !slices.Equal(names, want) {
		t.Errorf("columns %v", names)
	}
}
