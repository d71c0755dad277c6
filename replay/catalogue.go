package replay

import (
	"slices"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Catalogue lists the policies and counters that a protocol may declare. The
// command makes it once and hands it down; it is not changed once it is in use.
type Catalogue struct {
	Policies []policy.Descriptor
	Counters []counter.Descriptor
	Likes    []param.Like
	Asked    param.Asked // what an analysis of them can be asked, for those who read protocols
}

// Scene is what simulate knows when it declares a policy.
type Scene = policy.Scene

// Standard returns the policies and counters of this program. What can be asked is
// for whoever knows package analyze to add.
func Standard() *Catalogue {
	return &Catalogue{Policies: policy.All(), Counters: counter.All(), Likes: policy.Libraries()}
}

// Format returns what a protocol's reader has to know of them.
func (c *Catalogue) Format() *schemas.Catalogue {
	return &schemas.Catalogue{
		Mechanisms: param.Mechanisms{Policies: policy.Formats(c.Policies), Counters: counter.Formats(c.Counters), Likes: c.Likes}, Asked: c.Asked,
	}
}

// Policy returns the policy of a name; nil where there is none.
func (c *Catalogue) Policy(name string) *policy.Descriptor {
	i := slices.IndexFunc(c.Policies, func(d policy.Descriptor) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Policies[i]
}

// Counter returns the counter of a name; nil where there is none.
func (c *Catalogue) Counter(name string) *counter.Descriptor {
	i := slices.IndexFunc(c.Counters, func(d counter.Descriptor) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Counters[i]
}

// PerArm reports whether a policy declares a number for each arm.
func (c *Catalogue) PerArm(name string) bool {
	kind := c.Policy(name)
	return kind != nil && slices.ContainsFunc(kind.Keys, func(key param.Key) bool {
		_, shares := key.Form.(param.Shares)
		return shares
	})
}
