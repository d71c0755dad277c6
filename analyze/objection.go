package analyze

// objection is an assumption that stands against a number, by its id, and why.
// The zero objection stands against nothing.
type objection struct{ assumption, why string }

func (o objection) stands() bool { return o.assumption != "" }

func (o objection) String() string {
	if !o.stands() {
		return ""
	}
	return o.assumption + ": " + o.why
}

// newObjection is the objection by an assumption, and why.
func newObjection(assumption, why string) objection { return objection{assumption, why} }

// dependent stands where errors take rows, or batches, as independent and a
// declared unit owns several rows.
func dependent(more string) objection {
	return objection{"A4", "a unit (log.unit) owns several rows, which are not independent" + more}
}
