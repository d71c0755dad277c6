package analyze

import (
	"fmt"

	"banditaudit/ingest/tableau"
)

// A regression of an arm reads the context of the round; where the log has a
// context for every arm instead, it reads that of the arm that was played.

// contextDim is the number of covariates.
func contextDim(slice *tableau.Slice) int {
	if s := slice.Schema(); s.ContextByArm > 0 {
		return s.ContextByArm
	}
	return slice.ContextDim()
}

// contextNames are the names of the covariates.
func (in *Log) contextNames() []string {
	s := in.Slice.Schema()
	if s.ContextByArm == 0 {
		return in.Manifest.Context
	}
	names := make([]string, s.ContextByArm)
	for j := range names {
		names[j] = fmt.Sprintf("%s[%d]", in.Protocol.Log.ContextByArm, j)
	}
	return names
}

// context returns the covariates of a chunk by column.
func (in *Log) context(c *tableau.Chunk) [][]float64 {
	w := in.Slice.Schema().ContextByArm
	if w == 0 {
		return c.X
	}
	x, k := make([][]float64, w), in.k()
	for j := range x {
		x[j] = make([]float64, len(c.Arm))
		for t, arm := range c.Arm {
			x[j][t] = c.ContextByArm[(t*k+int(arm))*w+j]
		}
	}
	return x
}
