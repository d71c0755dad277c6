package world

import (
	"cmp"
	"slices"

	"banditaudit/replay"
	"banditaudit/schemas/param"
)

// Catalogue lists the worlds and faults that a simulation may have. The command
// makes it once and hands it down; it is not changed once it is in use.
type Catalogue struct {
	Worlds []World // the first is simulated where none is named
	Faults []Fault
}

// Standard returns the worlds and faults of this program.
func Standard() *Catalogue { return &Catalogue{Worlds: Worlds(), Faults: Faults()} }

// World returns the world of a name, the first one for "". Where there is none
// of that name it has no law.
func (c *Catalogue) World(name string) World {
	for _, w := range c.Worlds {
		if name == "" || w.Name == name {
			return w
		}
	}
	return World{Name: name}
}

// Takers lists the names of the worlds that take a flag; of all worlds for "".
func (c *Catalogue) Takers(flag string) []string {
	var names []string
	for i := range c.Worlds {
		if flag == "" || slices.Contains(c.Worlds[i].Takes, flag) {
			names = append(names, c.Worlds[i].Name)
		}
	}
	return names
}

// orZero returns what p points to; the zero value for nil.
func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (s *Spec) worlds() *Catalogue { return cmp.Or(s.Worlds, Standard()) }

// world is the world of the specification.
func (s *Spec) world() World { return s.worlds().World(s.World) }

// world is the world that the protocol is for.
func (s Starter) world() World { return cmp.Or(s.Worlds, Standard()).World(s.World) }

func (s *Spec) catalogue() *replay.Catalogue { return cmp.Or(s.Catalogue, replay.Standard()) }

func (s Starter) catalogue() *replay.Catalogue { return cmp.Or(s.Catalogue, replay.Standard()) }

// learns reports whether the declared policy's choices depend on rewards.
func (s *Spec) learns() bool {
	kind := orZero(s.catalogue().Policy(s.Protocol.Policy.Name))
	return kind.Learns()
}

// linear reports whether the declared policy, if any, reads vectors.
func (s *Spec) linear() bool {
	kind := orZero(s.catalogue().Policy(orZero(s.Protocol.Policy).Name))
	return kind.Linear()
}

// counterKind returns what the catalogue says of the declared counter; where none is
// declared or it is unknown, a counter without noise.
func (s *Spec) counterKind() param.Counter {
	return orZero(s.catalogue().Counter(orZero(s.Protocol.Counter).Name)).Counter
}
