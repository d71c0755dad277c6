package world

import "slices"

// World describes a kind of world: all that the program knows of it beside the
// arithmetic of its law. No world's name stands outside its file.
type World struct {
	Name     string
	Doc      string              // what an arm pays, in one line
	Takes    []string            // its parameters, by the names of their flags
	Binary   bool                // rewards are 0 or 1
	Outside  bool                // rewards may lie outside every range; else they are from 0 to 1
	Contexts bool                // what an arm pays depends on contexts, by a number for each coordinate
	Open     string              // why no mean is 0 or 1; "": a mean may be
	Check    func(*Spec) []error // judges its parameters beside --means; nil: there is nothing to judge
	Law      func(*Spec) Law     // of a specification that passed Check
}

// Worlds lists the worlds in the order in which they are shown. A new one is a
// file and a line of this list.
func Worlds() []World {
	return []World{
		describeBernoulli(),
		describeBeta(),
		describeGaussian(),
		describeLinear(),
		describeDrift(),
	}
}

// Arms returns the number of arms that s has parameters for, 0 where it has none,
// and what there is one of for each arm.
func (w World) Arms(s *Spec) (k int, what string) {
	if slices.Contains(w.Takes, "theta") {
		return len(s.Theta), "rows of --theta"
	}
	return len(s.Means), "means"
}
