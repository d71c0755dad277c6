package programreplay

import (
	"encoding/json"
	"strconv"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// decision is what the program is shown of a round that it is asked for.
func (e *execution) decision(c *tableau.Chunk, row int) program.Decision {
	e.x = e.x[:0]
	for _, column := range c.X {
		e.x = append(e.x, column[row])
	}
	d := program.Decision{Round: c.Round[row], X: e.context(e.x), Batch: -1}
	if c.ContextByArm != nil {
		w := len(c.ContextByArm) / len(c.Arm)
		d.XByArm = c.ContextByArm[row*w : (row+1)*w]
	}
	if e.Protocol.Log.Eligible != "" {
		d.Eligible = make([]bool, e.Slice.Arms())
		for a := range d.Eligible {
			d.Eligible[a] = c.Eligible(row, a)
		}
	}
	if c.Batch != nil {
		d.Batch = int64(c.Batch[row])
	}
	return d
}

// context writes the context of a round in JSON: columns of the log by name, or a list where
// the column is one; nil where there is none.
func (e *execution) context(values []float64) []byte {
	if len(values) == 0 {
		return nil
	}
	columns := e.Protocol.Log.Context.Columns
	if len(columns) == 0 {
		out := []byte{'['}
		for i, x := range values {
			if i > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendFloat(out, x, 'g', -1, 64)
		}
		return append(out, ']')
	}
	out, at := []byte{'{'}, 0
	for i := range columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, quoted(columns[i].Column)...), ':')
		if len(columns[i].Levels) == 0 {
			out = strconv.AppendFloat(out, values[at], 'g', -1, 64)
			at++
			continue
		}
		word, n := level(&columns[i], values[at:])
		out, at = append(out, quoted(word)...), at+n
	}
	return append(out, '}')
}

// level is the word of a categorical column, whose first of n columns of 0 and 1 is x[0]:
// the columns stand for its levels but the baseline, in order.
func level(c *schemas.ContextColumn, x []float64) (word string, n int) {
	word = c.Levels[0]
	if c.Baseline != nil {
		word = *c.Baseline
	}
	baseline := word
	for _, l := range c.Levels {
		if l == baseline {
			continue
		}
		if x[n] > 0 {
			word = l
		}
		n++
	}
	return word, n
}

// quoted is a text in JSON.
func quoted(text string) []byte {
	b, _ := json.Marshal(text) // a text has a form
	return b
}
