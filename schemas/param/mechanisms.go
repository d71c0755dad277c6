package param

// Mechanisms are the policies and counters that a protocol may declare, and what
// libraries have that it may name, in the order in which they are shown.
type Mechanisms struct {
	Policies []Policy
	Counters []Counter
	Likes    []Like
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

// Meanings returns what the keys are that policies have of their own, by their
// paths in a protocol. A key of a group means what the group means, unless the
// group is one of two forms.
func (m *Mechanisms) Meanings() map[string]string {
	out := map[string]string{}
	for _, p := range m.Policies {
		for _, key := range p.Keys {
			path := "policy." + key.Name
			out[path] = key.Doc
			if form, ok := key.Form.(Either); ok {
				for _, inner := range form.Group.Keys {
					out[path+"."+inner.Name] = inner.Doc
				}
			}
		}
	}
	return out
}

// Like is a policy of a library, by the keys that this program has for it.
type Like struct {
	Name   string // library/policy
	Doc    string // what is deployed, with the parameters of the library
	Keys   string // what it fills in, the keys of a mapping in YAML, name among them
	Beside string // what is written beside it: its parameters by their own keys, as the Doc calls them; "" for none
}

// Like returns the policy of a library by its name; nil where there is none.
func (m *Mechanisms) Like(name string) *Like {
	return find(m.Likes, func(l *Like) bool { return l.Name == name })
}

// LikeNames lists the names of libraries' policies.
func (m *Mechanisms) LikeNames() []string {
	return names(m.Likes, func(l *Like) (string, bool) { return l.Name, true })
}
