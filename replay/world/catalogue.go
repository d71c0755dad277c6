package world

import (
	"banditaudit/replay"
	"banditaudit/schemas/param"
)

// standard returns a catalogue, or the standard one where it is nil.
func standard(c *replay.Catalogue) *replay.Catalogue {
	if c == nil {
		return replay.Standard()
	}
	return c
}

func (s *Spec) catalogue() *replay.Catalogue { return standard(s.Catalogue) }

func (s Starter) catalogue() *replay.Catalogue { return standard(s.Catalogue) }

// learns reports whether the declared policy's choices depend on rewards.
func (s *Spec) learns() bool {
	kind := s.catalogue().Policy(s.Protocol.Policy.Name)
	return kind != nil && kind.Learns()
}

// linear reports whether the declared policy, if any, reads vectors.
func (s *Spec) linear() bool {
	if s.Protocol.Policy == nil {
		return false
	}
	kind := s.catalogue().Policy(s.Protocol.Policy.Name)
	return kind != nil && kind.Linear()
}

// counterKind is what the catalogue says of the declared counter; of none and of
// an unknown one, that of a counter without noise.
func (s *Spec) counterKind() param.Counter {
	if c := s.Protocol.Counter; c != nil {
		if kind := s.catalogue().Counter(c.Name); kind != nil {
			return kind.Counter
		}
	}
	return param.Counter{}
}
