package publiclog

import "banditaudit/schemas"

// Decided is what the protocol says of who set a column of the log.
type Decided struct {
	schemas.SetBy
	Word string
}

// DecidedBy are the declared columns that somebody set, with what whoever did so
// may have read.
func DecidedBy(protocol *schemas.Protocol) []Decided {
	var out []Decided
	for _, s := range schemas.SetBys() {
		if word := s.Word(protocol); word != "" {
			out = append(out, Decided{s, word})
		}
	}
	return out
}

// ByRewards reports whether rewards as they are may have decided the column.
func (d Decided) ByRewards() bool {
	return d.Word != schemas.SetBySchedule && d.Word != schemas.SetByReleased
}

// Said is the key with its word.
func (d Decided) Said() string { return d.Path() + ": " + d.Word }

// SetByReleased is the first column that released values decided, as the protocol
// says it; "" where there is none.
func SetByReleased(protocol *schemas.Protocol) string {
	for _, d := range DecidedBy(protocol) {
		if d.Word == schemas.SetByReleased {
			return d.Said()
		}
	}
	return ""
}
