package publiclog

import (
	"fmt"

	"banditaudit/ingest/tableau"
)

// A regression of an arm reads the context of the round; where the log has a
// context for every arm instead, it reads the context of the played arm.

// ContextDim is the number of covariates.
func ContextDim(slice *tableau.Slice) int {
	if s := slice.Schema(); s.ContextByArm > 0 {
		return s.ContextByArm
	}
	return slice.ContextDim()
}

// ContextNames are the names of the covariates.
func (in *Log) ContextNames() []string {
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

// Context returns the covariates of a chunk by column.
func (in *Log) Context(c *tableau.Chunk) [][]float64 {
	w := in.Slice.Schema().ContextByArm
	if w == 0 {
		return c.X
	}
	x, k := make([][]float64, w), in.K()
	for j := range x {
		x[j] = make([]float64, len(c.Arm))
		for t, arm := range c.Arm {
			x[j][t] = c.ContextByArm[(t*k+int(arm))*w+j]
		}
	}
	return x
}

// Chosen picks columns.
func Chosen(x [][]float64, columns []int) [][]float64 {
	out := make([][]float64, len(columns))
	for i, j := range columns {
		out[i] = x[j]
	}
	return out
}
