package truth

import (
	"fmt"
	"io"
)

// describe writes what the log holds, reals to six digits: on another processor
// the last ones may be others.
func (l *Log) describe(w io.Writer) {
	for _, c := range l.columns {
		fmt.Fprintf(w, "%s:", c.name)
		for t := range c.values.Len() {
			switch v := c.values.Index(t).Interface().(type) {
			case float64, float32, []float64, []float32:
				fmt.Fprintf(w, " %.6g", v)
			default:
				fmt.Fprintf(w, " %v", v)
			}
		}
		fmt.Fprintln(w)
	}
}
