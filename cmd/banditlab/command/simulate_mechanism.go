package command

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// assignments are the values of a flag KEY=VALUE that may be repeated. A value
// may hold commas, at which cli's own lists would part it.
type assignments struct{ values map[string]string }

var _ cli.Generic = (*assignments)(nil)

// Set adds one assignment.
func (a *assignments) Set(text string) error {
	key, value, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !ok || key == "" {
		return fmt.Errorf("%s is not KEY=VALUE", schemas.Quoted(text))
	}
	if _, twice := a.values[key]; twice {
		return fmt.Errorf("%s is given twice", key)
	}
	if a.values == nil {
		a.values = map[string]string{}
	}
	a.values[key] = value
	return nil
}

// String lists the assignments.
func (a *assignments) String() string {
	if a == nil {
		return ""
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(a.values)) {
		out = append(out, key+"="+a.values[key])
	}
	return strings.Join(out, " ")
}

func simulationProtocol(c *cli.Context, p *process, s *kit.Settings, spec *world.Spec) (*schemas.Document, error) {
	if s.Protocol != "" {
		for _, name := range []string{"policy", "counter", "epsilon", "labels", "arms", "set", "log"} {
			if c.IsSet(name) {
				return nil, kit.Usagef("--%s and -p exclude each other: the protocol declares it", name)
			}
		}
		return loadDeclared(p, s)
	}
	starter, err := readStarter(c, p, spec)
	if err != nil {
		return nil, err
	}
	doc, err := starter.Declare(kit.ProtocolFile)
	if err != nil {
		return nil, kit.Usagef("these flags do not make a protocol that could be audited:\n%s", blame(err, starter))
	}
	return doc, nil
}

// loadDeclared reads a protocol for simulation, whose seed file need not exist
// where --seed is given: it is what simulate writes.
func loadDeclared(p *process, s *kit.Settings) (*schemas.Document, error) {
	doc, err := kit.LoadProtocol(p.catalogue.Format(), s.Protocol, schemas.LoadOptions{SkipSeed: s.SeedGiven})
	if err != nil {
		return nil, offerSeed(err)
	}
	if doc.Protocol.Policy == nil {
		return nil, kit.Usagef("%s declares no policy; simulate needs one", s.Protocol)
	}
	return doc, nil
}

// offerSeed adds to the mend of a seed file that cannot be read the flag that does
// without it.
func offerSeed(err error) error {
	problems, ok := errors.AsType[schemas.Problems](err)
	if !ok {
		return err
	}
	out := slices.Clone(problems)
	for i := range out {
		if out[i].Path == "policy.seed.file" {
			out[i].Mend = "give --seed N, from which simulate then draws, and which it writes to a file of that name; or " + out[i].Mend
		}
	}
	return out
}

// readStarter reads the flags that declare a mechanism, and what of the world
// the protocol has to say.
func readStarter(c *cli.Context, p *process, spec *world.Spec) (*world.Starter, error) {
	st := &world.Starter{
		Catalogue: p.catalogue.Catalogue, Worlds: p.catalogue.worlds, ID: "simulated", Policy: c.String("policy"), Counter: c.String("counter"), Epsilon: c.String("epsilon"),
		World: spec.World, Rounds: spec.Rounds, ContextDim: spec.ContextDim, ByArm: spec.ByArm, ContextL1: c.String("context-l1"),
		ThetaBound: longest(spec.Theta), Batch: spec.Batch > 0, Late: spec.Delay != (world.Delay{}) || spec.Never > 0, Eligible: spec.Eligible > 0,
		Repeat: spec.Repeat, Set: c.Generic("set").(*assignments).values,
	}
	if err := checkMechanism(st); err != nil {
		return nil, err
	}
	if kind := p.catalogue.Policy(st.Policy); kind != nil && kind.Linear() && st.ContextDim == 0 {
		return nil, kit.Usagef("--policy %s chooses by contexts; write --context-dim 2", st.Policy)
	}
	if text := c.String("log"); text != "" {
		for word := range strings.SplitSeq(text, ",") {
			switch word {
			case "released":
				if st.Released = !still(st); !st.Released {
					return nil, kit.Usagef("--log released: the policy %s reads no sums, so that there is nothing released to log; leave it out", st.Policy)
				}
			case "propensities":
				st.Propensities = true
			default:
				return nil, kit.Usagef("--log: %s is neither released nor propensities", schemas.Quoted(word))
			}
		}
	}
	var err error
	st.Labels, err = readLabels(c, spec)
	return st, err
}

func checkMechanism(st *world.Starter) error {
	counters, kind := st.Catalogue.Format().CounterNames(), st.Catalogue.Counter(st.Counter)
	noise := kind != nil && kind.Noise
	switch {
	case st.Policy == "" || st.Counter == "" && !still(st):
		return kit.Usagef("simulate needs -p FILE, or --policy and --counter (%s need no counter)", strings.Join(blind(st.Catalogue), " and "))
	case st.Counter != "" && !slices.Contains(counters, st.Counter):
		return kit.Usagef("--counter %s: there is no such counter; write one of %s", st.Counter, strings.Join(counters, ", "))
	case st.Epsilon != "" && !noise:
		return kit.Usagef("--epsilon belongs to a counter with noise: give it with --counter hybrid, or leave it out")
	case st.Epsilon == "" && noise:
		return kit.Usagef("the counter %s needs --epsilon, such as 0.25: its noise is scaled by it", st.Counter)
	}
	return nil
}

// still reports whether the policy reads no rewards.
func still(st *world.Starter) bool {
	kind := st.Catalogue.Policy(st.Policy)
	return kind != nil && !kind.Learns()
}

// blind lists the policies that read no rewards.
func blind(c *replay.Catalogue) []string {
	var names []string
	for i := range c.Policies {
		if !c.Policies[i].Learns() {
			names = append(names, c.Policies[i].Name)
		}
	}
	return names
}

// longest is the largest ‖θ‖₂; 0 for none.
func longest(theta [][]float64) float64 {
	most := 0.0
	for _, row := range theta {
		sum := 0.0
		for _, v := range row {
			sum += float64(v * v)
		}
		most = max(most, math.Sqrt(sum))
	}
	return most
}

// armsFlag is the flag that says how many arms there are.
func armsFlag(what string, k int) string {
	switch {
	case k == 0:
		return "--labels"
	case what == "arms":
		return "--arms"
	case what == "means":
		return "--means"
	}
	return "--theta"
}

// readLabels returns the labels of the arms, of which there are as many as the
// flags say.
func readLabels(c *cli.Context, spec *world.Spec) ([]string, error) {
	k, what := spec.Worlds.World(spec.World).Arms(spec)
	text, arms := c.String("labels"), c.Int("arms")
	if arms > 0 && k > 0 && arms != k {
		return nil, kit.Usagef("--arms is %d, and there are %d %s; leave it out", arms, k, what)
	}
	if k == 0 {
		k, what = arms, "arms"
	}
	if most := world.MaxArms(spec.Catalogue.PerArm(c.String("policy"))); max(k, strings.Count(text, ",")+1) > most {
		return nil, kit.Usagef("%d arms, by %s; there can be at most %d, because a protocol that declares more is longer than one may be; simulate fewer",
			max(k, strings.Count(text, ",")+1), armsFlag(what, k), most)
	}
	if text == "" {
		if k == 0 {
			return nil, kit.Usagef("simulate needs to know the arms: give --means, such as 0.4,0.6, or for --world %s --theta or --arms", strings.Join(spec.Worlds.Takers("theta"), " or "))
		}
		return world.DefaultLabels(k), nil
	}
	labels := strings.Split(text, ",")
	if k > 0 && len(labels) != k {
		return nil, kit.Usagef("%d labels for %d %s; give one label per arm", len(labels), k, what)
	}
	return labels, nil
}
