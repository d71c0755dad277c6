package analyze

import "banditaudit/schemas"

// decided is what the protocol says of who set a column of the log.
type decided struct {
	schemas.SetBy
	word string
}

// decidedBy are the declared columns that somebody set, with what whoever did so
// may have read.
func decidedBy(protocol *schemas.Protocol) []decided {
	var out []decided
	for _, s := range schemas.SetBys() {
		if word := s.Word(&protocol.Log); word != "" {
			out = append(out, decided{s, word})
		}
	}
	return out
}

// byRewards reports whether rewards as they are may have decided the column.
func (d decided) byRewards() bool {
	return d.word != schemas.SetBySchedule && d.word != schemas.SetByReleased
}

// said is the key with its word.
func (d decided) said() string { return d.Path() + ": " + d.word }

// setByReleased is the first column that released values decided, as the protocol
// says it; "" where there is none.
func setByReleased(protocol *schemas.Protocol) string {
	for _, d := range decidedBy(protocol) {
		if d.word == schemas.SetByReleased {
			return d.said()
		}
	}
	return ""
}
