package answers

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
	Seeded   bool    // the protocol declares the policy's seed, and no propensity is logged
	Means    bool    // the protocol declares that no arm's mean moves, and none does
	Batches  bool    // the rounds between two updates are logged (log.batch)
	Skewed   bool    // rewards are the skewed ones
	Shift    bool    // what the last arm pays more is one constant: arms are two, and rounds 200
}

// Twists are the twists that the page has.
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
		{Name: "seed declared", Declared: true, Seeded: true},
		{Name: "batches logged", Batches: true},
		{Name: "batches logged, skewed", Batches: true, Skewed: true},
		{Name: "constant shift", Declared: true, Skewed: true, Shift: true},
	}
}

// fits says whether a twist is one for a policy: without propensities there is none of
// the played arm, and a policy that gets contexts is not declared. What is declared of
// means matters to weighted estimates, which need propensities, and so does a seed, from
// which they are recomputed. A shift makes up rewards that not every policy takes.
func (w *Twist) fits(p *Policy) bool {
	switch {
	case w.Declared && p.Contexts, w.Batches && p.Every == 0, w.Shift && !p.Unbounded:
		return false
	}
	return p.Logged || !w.Played && !w.Means && !w.Seeded
}

// settings are the settings of a policy with a twist.
func (w *Twist) settings(p *Policy) []Setting {
	s := Setting{Policy: *p, Law: Laws()[2], Rounds: 2000, Twist: *w}
	if w.Skewed {
		s.Law = Laws()[3]
	}
	if w.Shift {
		s.Arms, s.Rounds = 2, 200
		return []Setting{s}
	}
	two, five := s, s
	two.Arms, five.Arms = 2, 5
	return []Setting{two, five}
}
