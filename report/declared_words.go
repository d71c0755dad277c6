package report

import (
	"maps"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// meanings say in words what the settings of a protocol are, by their paths.
type meanings map[string]string

// Meanings say in words what the settings of a protocol are, by their paths. A setting
// that is not among them is part of a group that is.
func Meanings(c *schemas.Catalogue) map[string]string { return settingMeanings(c.Meanings()) }

// settingMeanings has the meaning of every setting, or of the group it is in;
// the meanings of settings that some policies have of their own are handed down.
func settingMeanings(own map[string]string) meanings {
	out := meanings{
		"version":             "form of the protocol",
		"experiment":          "what the experiment is called",
		"experiment.column":   "column that tells the experiments of this log apart",
		"experiment.stopping": "what decided when the log ends; a corrected p needs a rule that did not look at raw rewards",
		"arms":                "labels in index order",
		"reward.range":        "public range of the reward, declared and never read off the data",
		"reward.out_of_range": "what is done with a reward outside it: refuse the log, or clip the reward as the mechanism must have done",
		"counter":             "how the policy's sums of rewards were made noisy",
		"counter.name":        "the counter by which each arm's sum of rewards was released",
		"counter.epsilon":     "ε of each arm's counter; the total is the largest over arms",
		"counter.horizon":     "rounds the mechanism was built for",
		"counter.grid":        "lattice on which rewards and noise lie",
		"counter.exponent":    "how fast the noise grows with the rewards in a sum: with N to half of this power",
		"counter.sensitivity": "ℓ1 length of a context that the noise was scaled for",
		"privacy":             "the claim about the mechanism",
		"claims":              "what a verdict was asked on",
	}
	for _, part := range []map[string]string{logMeanings(), policyMeanings(), analysisMeanings(), own} {
		maps.Copy(out, part)
	}
	return out
}

// logMeanings says what a column of the log is for.
func logMeanings() map[string]string {
	return map[string]string{
		"log.order":                 "columns that put the rounds in order",
		"log.ties":                  "what is done where they do not: refuse the log, or keep the order of the files",
		"log.action":                "the arm that was played",
		"log.reward":                "what it paid",
		"log.propensity":            "probability of the logged action, as logged",
		"log.propensity_by_arm":     "probabilities of all arms, as logged",
		"log.propensity_resolution": "how far a logged propensity may be from the true one, by how it was computed or written",
		"log.propensity_draws":      "by how many draws logged propensities were estimated; they are then held against what so many draws give",
		"log.drawn":                 "how the action was drawn beside them: from the estimate, or by one more draw",
		"log.context":               "what was known before the choice; regressions read it",
		"log.context_by_arm":        "what was known of each arm; a regression of an arm reads that of the arm played",
		"log.reward_by_arm":         "rewards of all arms; everything below is about that of the logged arm",
		"log.released_by_arm":       "what the policy saw of the rewards, in every round",
		"log.reward_order":          "when a reward became known; a policy that learns is replayed on what it knew",
		"log.eligible":              "arms that could be played in a round",
		"log.score_by_arm":          "what the policy compared, in every round",
		"log.score_by":              "what whoever made them may have read; where that is rewards, or unknown, no ε is known of a policy that plays by them, and there is no corrected p and no bias bound",
		"log.eligible_by":           "what whoever set them may have read; where that is rewards, or unknown, there is no corrected p and no bias bound",
		"log.batch_by":              "what whoever ended a batch may have read; schedule is assumed where nothing is declared",
		"log.delay_by":              "what decided when a reward became known; schedule is assumed where nothing is declared",
		"log.unit_by":               "what decided whose round comes next; schedule is assumed where nothing is declared",
		"log.context_by":            "what decided the context of a round; schedule is assumed where nothing is declared",
		"log.batch":                 "rounds between two updates of the policy",
		"log.unit":                  "who the rounds belong to; rounds of one unit are not independent",
		"log.missing_reward":        "what is done with a missing reward: refuse the log, or leave the round out of every estimate; exclude-independent declares that a reward is not missing because of its value",
	}
}

// policyMeanings says what a parameter is that every policy has.
func policyMeanings() map[string]string {
	return map[string]string{
		"policy":                    "a parameter of the policy",
		"policy.name":               "how actions were chosen",
		"policy.like":               "the policy of a library whose keys were filled in where none stood",
		"policy.floor":              "least probability of every arm",
		"policy.floor.kind":         "how the policy's probabilities are made to keep it: mixed in; or raised to it and divided by their sum (clip), or filled up from all others alike (water), or from the best (rest)",
		"policy.draw":               "which rounds share one draw of an action",
		"policy.draw.by":            "every round has a draw of its own, or the rounds of a unit share one",
		"policy.draw.hash":          "the platform's hash of a unit's key, by which the arm is recomputed",
		"policy.draw.seed":          "text that is hashed together with the key",
		"policy.draw.unit":          "the column of the keys",
		"policy.draw.coverage":      "how much of each arm's range is in the experiment",
		"policy.order":              "the policy's own order of arms",
		"policy.ties":               "which arm is played where several have the same index",
		"policy.near_ties":          "part of the largest index within which another counts as equal: rounding may decide between them",
		"policy.by":                 "column of which every value has a state of the policy of its own: sums, counts, clock and start",
		"policy.update":             "when the policy looks at new rewards: after so many rounds, or where the batch changes",
		"policy.update.version":     "the column of versions of the weights: the policy learns where it changes",
		"policy.update.every":       "rounds between two looks at new rewards, or time",
		"policy.update.clock":       "the column of times by which it learns",
		"policy.update.attribution": "how old a row is before it is learned",
		"policy.draws":              "draws by which probabilities are computed",
		"policy.seed":               "where the policy's random choices and the noise come from",
		"policy.seed.sha256":        "digest of the seed; the seed itself is in no file of this bundle",
	}
}

// analysisMeanings says what the auditor asked.
func analysisMeanings() map[string]string {
	return map[string]string{
		"analysis":                 "what the auditor asked",
		"analysis.chosen":          "what whoever chose the tests had seen; a corrected p needs that it was not the rewards",
		"analysis.alpha":           "level of the tests, and one less the level of intervals",
		"analysis.multiplicity":    "how p-values are adjusted for testing several hypotheses",
		"analysis.means":           "whether each arm's mean is one number in all rounds; what compares arms needs it where they were played at different times",
		"analysis.carryover":       "whether playing an arm may change later rewards; what runs the policy again needs that it does not",
		"analysis.decide":          "which method decides each test: the one named, or by auto the first that applies in an order that is fixed by the kind of test",
		"analysis.sequence":        "which confidence sequences are printed of arms",
		"analysis.approximate":     "whether a raw p that holds for many rounds only may decide a test: refuse leaves such a test undecided, accept lets it decide and marks it approximate",
		"analysis.control":         "the arm that others are compared with",
		"analysis.correction":      "how p-values are corrected for adaptive choice",
		"analysis.correction.beta": "share of the published route's p that pays for rare outputs: the best one, or this",
		"analysis.correction.also": "forms that were asked for beside the others; averaged over the actions",
		"analysis.rerun":           "how the policy is run again for the exact test that arms pay alike",
		"analysis.rerun.permute":   "which records change places between runs; where absent, those of blocks of 10 rounds, or what units and batches leave",
		"analysis.rerun.lag":       "whether records change places with others of equal delay only, or the delay goes with the record, or stays with the round",
		"analysis.regressions":     "a least-squares fit; descriptive, not in the family of tests",
		"analysis.tests":           "a hypothesis of the family",
	}
}

// undeclared lists what the protocol does not say and what follows from that.
func undeclared(p *digest.Protocol) []page.Row {
	var rows []page.Row
	absent := func(missing bool, name, consequence string) {
		if missing {
			rows = append(rows, page.Row{Cells: []page.Cell{page.Text(name), page.Text("not declared: " + consequence)}})
		}
	}
	absent(p.Policy == nil && p.Program == nil, "policy", "how actions were chosen cannot be recomputed")
	absent(p.Policy != nil && p.Policy.Seed == nil, "policy › seed", "random choices and noise, if there were any, cannot be recomputed")
	absent(p.Counter == nil, "counter", "no noise on the rewards is accounted for")
	absent(p.Privacy == nil, "privacy", "nothing private is claimed")
	absent(p.Log.Propensity == "" && p.Log.PropensityByArm == "", "log › propensity", "the allocation cannot be held against logged probabilities")
	absent(p.Log.Unit == "", "log › unit", "each round is taken as a unit of its own")
	absent(p.Experiment.Stopping == "", "experiment › stopping", "what decided the end of the log is unknown, and a corrected p is NOT APPLICABLE")
	absent(len(p.Analysis.Tests) == 0, "analysis › tests", "no hypothesis is tested")
	return rows
}
