package protocolinit

import (
	"strings"

	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

// platform is a service, or a library, that names its columns itself. A new one is a line
// of platforms.
type platform struct {
	name   string
	tells  string   // names of columns, without case and punctuation, that tell it
	enough int      // how many of these do
	roles  []hint   // what its columns are for
	lines  []string // of a protocol, for what they cannot say
}

// hint is what a column is for.
type hint struct{ column, key, words string }

// platforms lists the platforms that are known, by source or by their documentation.
func platforms() []platform { //nolint:funlen // a table
	const byUnit = "policy: {draw: {by: unit}}   # beside name or like: one draw serves a unit, whose column is log.unit"
	return []platform{
		{
			"GrowthBook", "leafid variationweights banditversion bestarmprobabilities", 1,
			[]hint{
				{"variationweights", schemas.KeyPropensityByArm, "the weights of all variations, in the order of arms"},
				{"bestarmprobabilities", schemas.KeyPropensityByArm, "before the floor: the weights that were drawn with are others"},
				{"banditversion", schemas.KeyBatch, "weights stand still between two versions"},
				{"leafid", schemas.KeyContext, "of the contextual bandit, which has one state per leaf"},
			},
			[]string{
				"policy: {like: growthbook/bandit, draw: {hash: growthbook-v2, seed: TRACKING_KEY, unit: COLUMN}}   # with log.propensity_draws: 10000",
				"policy: {like: growthbook/bandit, top: 1, floor: {kind: clip, value: 0.01}}   # the contextual one, whose weights are exact",
			},
		},
		{
			"Vowpal Wabbit or Personalizer", "labelprobability labelcost labelaction skiplearn pdrop", 1,
			[]hint{
				{"labelprobability", schemas.KeyPropensity, "of the action that was taken, a float32"},
				{"labelcost", schemas.KeyReward, "a cost: write its negative as the reward"},
				{"labelaction", schemas.KeyAction, "numbered from 1"},
				{"p", schemas.KeyPropensityByArm, "by rank, as a names the actions: bring it into the order of arms first"},
				{"pdrop", schemas.KeyKeepProb, "1 - pdrop, written as a column of its own: pdrop is with which a row was dropped"},
				{"eventid", schemas.KeyUnit, "the key that seeds the draw"},
			},
			[]string{
				"log: {propensity_resolution: 1e-6}   # its vectors are float32",
				"policy: {exec: [python3, policy.py], gives: propensities}   # its models are no policy that can be declared by name",
				"policy: {floor: {kind: water, value: EPSILON/K}}   # beside name: what its epsilon makes of another policy",
			},
		},
		{
			"Eppo", "optimalitygap actionprobability actionprobabilityfloor modelversion", 2,
			[]hint{
				{"actionprobability", schemas.KeyPropensity, "of the action that was taken"},
				{"modelversion", schemas.KeyBatch, "the model stands still between two versions"},
				{"subject", schemas.KeyUnit, "whose hash draws"},
			},
			[]string{byUnit, "policy: {floor: {kind: rest, value: FLOOR/K}}   # beside name: FLOOR is actionProbabilityFloor"},
		},
		{
			"the Open Bandit Dataset", "itemid position click propensityscore", 4,
			[]hint{
				{"itemid", schemas.KeyAction, "the item that was shown"},
				{"click", schemas.KeyReward, "0 or 1"},
				{"propensityscore", schemas.KeyPropensity, "of the item in its position, a share of draws for bts"},
				{"position", schemas.KeyExperiment, "three positions have a law each"},
			},
			[]string{"policy: {name: uniform}   # random", "policy: {like: obp/bernoulli-ts, update: {every: ROUNDS}}   # bts, with counter: {name: exact} and log.propensity_draws: unknown; what it learned before the log cannot be checked"},
		},
		{
			"Statsig", "experimentname ruleid group groupname groupid", 3,
			[]hint{
				{"group", schemas.KeyAction, "the group of the unit"},
				{"groupname", schemas.KeyAction, "the group of the unit"},
				{"experimentname", schemas.KeyExperiment, "each is audited alone"},
				{"userid", schemas.KeyUnit, "whose hash draws"},
				{"unitid", schemas.KeyUnit, "whose hash draws"},
			},
			[]string{byUnit},
		},
		{
			"Amplitude", "flagkey variant", 2,
			[]hint{
				{"variant", schemas.KeyAction, "the variant that was shown"},
				{"experimentkey", schemas.KeyExperiment, "each is audited alone"},
				{"flagkey", schemas.KeyExperiment, "each is audited alone"},
				{"userid", schemas.KeyUnit, "whose hash draws"},
			},
			[]string{byUnit},
		},
	}
}

// value is the column, in the form that its key has.
func (h *hint) value(c *guess.DraftColumn) string {
	switch h.key {
	case schemas.KeyExperiment:
		return "{column: " + yamlText(c.Column) + "}"
	case schemas.KeyContext:
		return "[" + yamlText(c.Column) + "]"
	case schemas.KeyKeepProb:
		return "{column: KEPT}"
	}
	return yamlText(c.Column)
}

// plain is a name without case and punctuation.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// platform writes, as comments, what the names of columns tell of the platform that wrote
// the log.
func (s *starter) platform() {
	columns := map[string]*guess.DraftColumn{}
	for i := range s.draft.Columns {
		c := &s.draft.Columns[i]
		columns[plain(c.Column)] = c
	}
	for _, p := range platforms() {
		var told []string
		for name := range strings.FieldsSeq(p.tells) {
			if c := columns[name]; c != nil {
				told = append(told, schemas.Printable(c.Column))
			}
		}
		if len(told) >= p.enough {
			s.platformLines(&p, told, columns)
		}
	}
}

// platformLines writes what one platform's columns are for, but for what was guessed so.
func (s *starter) platformLines(p *platform, told []string, columns map[string]*guess.DraftColumn) {
	s.comment(0, "DECIDE: was the log written by "+p.name+"? It names columns so ("+strings.Join(told, ", ")+"). Then:")
	for _, h := range p.roles {
		if c := columns[h.column]; c != nil && c.Role != h.key {
			s.line("#   %s: %s   # %s", h.key, h.value(c), h.words)
		}
	}
	for _, line := range p.lines {
		s.line("#   %s", line)
	}
}
