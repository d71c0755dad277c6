package accounts

// Objection is an assumption that stands against a number, by its id, and why.
// The zero objection stands against nothing.
type Objection struct{ Assumption, Why string }

// Stands reports whether there is one.
func (o Objection) Stands() bool { return o.Assumption != "" }

func (o Objection) String() string {
	if !o.Stands() {
		return ""
	}
	return o.Assumption + ": " + o.Why
}

// Against is the objection by an assumption, and why.
func Against(assumption, why string) Objection { return Objection{assumption, why} }

// Dependent stands where errors take rows, or batches, as independent and a
// declared unit owns several rows.
func Dependent(more string) Objection {
	return Objection{"A4", "a unit (log.unit) owns several rows, which are not independent" + more}
}
