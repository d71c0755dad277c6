package param

// Mechanisms are the policies and counters that a protocol may declare, in the
// order in which they are shown.
type Mechanisms struct {
	Policies []Policy
	Counters []Counter
}

// Policy returns the policy of a name; nil where there is none.
func (m *Mechanisms) Policy(name string) *Policy {
	return find(m.Policies, func(p *Policy) bool { return p.Name == name })
}

// Counter returns the counter of a name; nil where there is none.
func (m *Mechanisms) Counter(name string) *Counter {
	return find(m.Counters, func(c *Counter) bool { return c.Name == name })
}

// PolicyNames lists the names of policies.
func (m *Mechanisms) PolicyNames() []string {
	return names(m.Policies, func(p *Policy) (string, bool) { return p.Name, true })
}

// CounterNames lists the names of counters.
func (m *Mechanisms) CounterNames() []string {
	return names(m.Counters, func(c *Counter) (string, bool) { return c.Name, true })
}
