package answer

// Twist is what makes a setting other than the plain one: every round drawn anew, means
// that stand still, every reward known, the log read once, at its end.
type Twist struct {
	Name     string
	Drift    bool    // the mean of all arms moves alike, by a factor from ½ to 1½
	Unit     int     // rounds of a unit, whose first draw serves them all, and which has a mean of its own; 0: one
	Missing  float64 // share of rewards that are null, whatever they are
	Looks    int     // times at which the log so far is audited; a test rejects that does so once. 0: at the end
	Played   bool    // the propensity of the played arm alone is logged
	Declared bool    // the protocol declares the policy
	Means    bool    // the protocol declares that no arm's mean moves, and none does
}

// Twists are those of the page.
func Twists() []Twist {
	return []Twist{
		{Name: "drift", Drift: true},
		{Name: "units of 10", Unit: 10},
		{Name: "units of 40", Unit: 40},
		{Name: "a fifth missing", Missing: .2},
		{Name: "20 looks", Looks: 20},
		{Name: "p of the played arm", Played: true},
		{Name: "policy declared", Declared: true},
		{Name: "means declared", Means: true},
	}
}

// fits says whether a twist is one for a policy: without propensities there is none of
// the played arm, and a policy that gets contexts is not declared. What is declared of
// means matters to weighted estimates, which need propensities.
func (w *Twist) fits(p *Policy) bool {
	return (p.Logged || !w.Played && !w.Means) && (!p.Contexts || !w.Declared)
}
