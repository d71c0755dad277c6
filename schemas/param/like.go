package param

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
