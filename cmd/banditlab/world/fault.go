package world

import (
	"cmp"
	"slices"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// Fault describes something that a deployment does otherwise than its protocol
// declares: all that the program knows of it.
type Fault struct {
	Name string
	Doc  string // what the deployed bandit does, in one line

	Noise      bool // what the policy sees is not what the declared counters release
	Anew       bool // the noise of a sum is drawn anew
	Propensity bool // propensities are not logged as they are
	Uneven     bool // it changes nothing where all arms are played alike
	Improper   bool // logged propensities may be none at all

	Excludes map[string]string // faults that it cannot stand beside, and why
	Alone    string            // why no other fault of noise can stand beside it; "": others can

	// Check reports whether the declared mechanism cannot have the fault, why, and
	// what to do. Size does so for the numbers of rounds and arms, and is asked after
	// all else. nil: nothing is in the way.
	Check, Size func(*Spec) (wrong bool, why string)
	// Policy changes the policy that plays. Defaults to the policy of the protocol.
	Policy func(*schemas.Policy)
	// Deploy changes a deployment before its first round. Faults do so in the order
	// of their list.
	Deploy func(*Deployment)
}

// Faults lists all faults, in the order in which help shows them. A new one is a
// value in the list of its kind.
func Faults() []Fault {
	return slices.Concat(faultsOfNoise(), faultsOfLearning(), faultsOfPropensities())
}

// faults lists the faults that the specification names, in the order of the catalogue.
func (s *Spec) faults() []Fault {
	if len(s.Faults) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.worlds().Faults), func(f Fault) bool { return !slices.Contains(s.Faults, f.Name) })
}

// faulty returns the name of the first fault of a kind; "" where there is none.
func (s *Spec) faulty(kind func(*Fault) bool) string {
	for _, name := range s.Faults {
		if slices.ContainsFunc(s.worlds().Faults, func(f Fault) bool { return f.Name == name && kind(&f) }) {
			return name
		}
	}
	return ""
}

func ofNoise(f *Fault) bool { return f.Noise }

func ofPropensities(f *Fault) bool { return f.Propensity }

func drawnAnew(f *Fault) bool { return f.Anew }

// checkFaults refuses faults that are unknown, that exclude each other, or that
// the declared mechanism cannot have.
func (s *Spec) checkFaults() []error {
	var known []string
	for _, f := range s.worlds().Faults {
		known = append(known, f.Name)
	}
	var faults []error
	for i, name := range s.Faults {
		switch {
		case !slices.Contains(known, name):
			faults = append(faults, faultf("fault", "there is no %s; write some of %s", schemas.Quoted(name), strings.Join(known, ", ")))
		case slices.Contains(s.Faults[:i], name):
			faults = append(faults, faultf("fault", "%s is given twice; write it once", name))
		}
	}
	list := s.faults()
	slices.SortStableFunc(list, func(a, b Fault) int { return cmp.Compare(a.Alone, b.Alone) }) // pairs first
	for _, f := range list {
		for _, other := range list {
			why := f.Excludes[other.Name]
			if f.Alone != "" && other.Noise && other.Name != f.Name {
				why = f.Alone
			}
			if why != "" {
				faults = append(faults, faultf("fault", "%s and %s exclude each other: %s; leave one out", f.Name, other.Name, why))
			}
		}
	}
	if s.Protocol.Policy == nil {
		return faults // there is nothing that could be faulty, which is said elsewhere
	}
	faults = append(faults, s.checkNoiseFaults()...)
	return append(faults, s.judge(func(f *Fault) bool { return !f.Noise && !f.Propensity }, checkOf)...)
}

// judge returns what is in the way of the faults of a kind.
func (s *Spec) judge(kind func(*Fault) bool, check func(*Fault) func(*Spec) (bool, string)) []error {
	var faults []error
	for _, f := range s.faults() {
		if by := check(&f); by != nil && kind(&f) {
			if wrong, why := by(s); wrong {
				faults = append(faults, faultf("fault", "%s: %s", f.Name, why))
			}
		}
	}
	return faults
}

func checkOf(f *Fault) func(*Spec) (bool, string) { return f.Check }

func sizeOf(f *Fault) func(*Spec) (bool, string) { return f.Size }

// maxAnew bounds the rounds in which sums of as many noises as rows are drawn
// anew.
const maxAnew = 50_000

// checkNoiseFaults refuses faults of noise where there is none, or not of that
// kind.
func (s *Spec) checkNoiseFaults() []error {
	name, kind := s.faulty(ofNoise), s.counterKind()
	switch {
	case name == "":
		return nil
	case !s.learns():
		return []error{faultf("fault", "%s: the policy %s reads no sums, and so no noise; declare one that does, such as ucb", name, s.Protocol.Policy.Name)}
	case !kind.Noise:
		return []error{faultf("fault", "%s: the counter exact adds no noise that could be wrong; declare one that does, such as --counter hybrid --epsilon 1", name)}
	}
	faults := s.judge(ofNoise, checkOf)
	if anew := s.faulty(drawnAnew); anew != "" && kind.PerRow && s.Rounds > maxAnew {
		faults = append(faults, faultf("fault", "%s: under the counter %s a sum has a noise for each of its rows, and drawing them anew takes rounds² draws; simulate at most %d rounds, or take another counter",
			anew, kind.Name, maxAnew))
	}
	return append(faults, s.judge(ofNoise, sizeOf)...)
}

// checkPropensityFaults refuses faults of propensities where there are none.
func (s *Spec) checkPropensityFaults(m *replay.Mechanism) error {
	name, policy := s.faulty(ofPropensities), s.Protocol.Policy.Name
	switch {
	case name == "":
		return nil
	case !m.Random():
		return faultf("fault", "%s: the policy %s draws nothing, so that no propensities are logged; take one that does, such as thompson, or give it an exploration floor (policy.floor, --set floor=0.05)", name, policy)
	}
	faults := s.judge(ofPropensities, checkOf)
	if uneven := s.faulty(func(f *Fault) bool { return f.Uneven }); uneven != "" && s.catalogue().Policy(policy).Uniform {
		faults = append(faults, faultf("fault", "%s: the policy %s plays all arms alike, so that the fault changes nothing; take another policy, such as thompson", name, policy))
	}
	if faults = append(faults, s.judge(ofPropensities, sizeOf)...); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// anewCost is about how many operations it takes to draw the noise of a sum
// anew: 0 where that is not done.
func (s *Spec) anewCost() int64 {
	switch {
	case s.faulty(drawnAnew) == "":
		return 0
	case s.counterKind().PerRow:
		return 10 * s.Rounds
	default:
		return 1000
	}
}

// deployed is the protocol of the bandit that plays.
func (s *Spec) deployed() *schemas.Protocol {
	protocol := *s.Protocol
	for _, f := range s.faults() {
		if f.Policy != nil && protocol.Policy != nil {
			policy := *protocol.Policy
			f.Policy(&policy)
			protocol.Policy = &policy
		}
	}
	return &protocol
}
