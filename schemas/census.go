package schemas

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// CensusSchema is the value of Census.Schema.
const CensusSchema = "census.v1"

// Census is log.json: what a log is made of, whatever parts of it an engine made. Counts of
// files cannot be added up, since an experiment may lie in several; so it has the ids.
type Census struct {
	Schema      string `json:"schema" schema:"const=census.v1"` // always CensusSchema
	Experiments int    `json:"experiments" schema:"range=[0,inf)"`
	// IDs are those of the experiments, as numbers if all are whole numbers, else bytewise.
	// Who knows Experiments may leave them out.
	IDs    []string `json:"ids,omitempty"`
	Inputs []Input  `json:"inputs" schema:"count=[1,inf)"` // by uri, bytewise
}

// DecodeCensus reads a census, and checks what no schema says: by orders the ids of
// experiments. The error has ErrInvalid in its chain where b is none.
func DecodeCensus(b []byte, by func(ids []string) func(a, b string) int) (*Census, error) {
	c, err := decodeAs[Census](none(), "census", b)
	if err != nil {
		return nil, err
	}
	if why := c.fault(by(c.IDs)); why != "" {
		return nil, fmt.Errorf("schemas: census.json: %w: %s", ErrInvalid, why)
	}
	return c, nil
}

// fault says what is wrong with a census that has the form of one; "" where nothing is.
func (c *Census) fault(order func(a, b string) int) string {
	rows := int64(0)
	for i := range c.Inputs {
		in := &c.Inputs[i]
		switch {
		case !fs.ValidPath(in.URI) || in.URI == ".":
			return fmt.Sprintf("the uri %s is no path below a directory", Quoted(in.URI))
		case i > 0 && c.Inputs[i-1].URI >= in.URI:
			return fmt.Sprintf("inputs are not by uri, each once: %s stands behind %s", Quoted(in.URI), Quoted(c.Inputs[i-1].URI))
		case in.Rows > math.MaxInt64-rows:
			return "its inputs have more than 2^63 rows"
		}
		rows += in.Rows
	}
	switch {
	case int64(c.Experiments) > rows:
		return fmt.Sprintf("it has %s and %s", Counted(c.Experiments, "experiment"), Counted(rows, "row"))
	case len(c.IDs) > 0 && len(c.IDs) != c.Experiments:
		return fmt.Sprintf("it has %s and %s", Counted(c.Experiments, "experiment"), Counted(len(c.IDs), "id"))
	case slices.Contains(c.IDs, ""):
		return "an id is empty"
	}
	for i := 1; i < len(c.IDs); i++ {
		if order(c.IDs[i-1], c.IDs[i]) >= 0 {
			return fmt.Sprintf("ids are not in order, each once: %s stands behind %s", Quoted(c.IDs[i]), Quoted(c.IDs[i-1]))
		}
	}
	return ""
}

// Rows is how many rows the inputs have.
func (c *Census) Rows() int64 {
	n := int64(0)
	for i := range c.Inputs {
		n += c.Inputs[i].Rows
	}
	return n
}
