package truth

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// skewedProtocol asks for the mean of a0, which is declared as it is. No test is
// named where the words are empty.
func skewedProtocol(mean float64, analysis, test string) string {
	return fmt.Sprintf("version: 1\nexperiment: {id: skewed, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a0, a1]\nreward: {range: [0, 1]}\n"+
		"policy: {name: uniform}\nprivacy: {definition: pure, epsilon: 0}\nanalysis: {chosen: before%s, tests: [{id: H, arm: a0, mean: %v%s}]}\n", analysis, mean, test)
}

// playedUniformly plays two arms that pay by one law.
func playedUniformly(s Shape, rounds int) func(run int64) *Log {
	return func(run int64) *Log {
		d := newDeployment(run)
		for range rounds {
			d.play(d.draw.IntN(2), .5, s.Draw(d.draw))
		}
		return d.log("a0", "a1")
	}
}

// decided reports whether the first test of the first experiment is rejected.
func (f *Found) decided() bool { return f.First().Tests[0].Decision == schemas.DecisionRejected }

// skewedByDefault is item 5: of rewards that are skewed, where no test is named.
func skewedByDefault() World {
	law := power(.02)
	return World{
		Name: "skewed-rewards-by-default", Item: 5, Logs: 1_000,
		Text:     "Two arms pay by Beta(.02, 1) in 120 rounds, uniformly. The mean of a0 is tested against what it is, at .05; no test is named.",
		Said:     "the corrected test rejects a true null",
		Before:   "21 %: the default was t",
		Unseen:   "nothing of a law within the declared range: the default holds at every number of rounds; whether the range is public is declared",
		Protocol: skewedProtocol(law.Mean, "", ""),
		Deploy:   playedUniformly(law, 120), Count: (*Found).decided,
	}
}

// revenueByDefault is item 5 at the level that a correction asks for.
func revenueByDefault() World {
	law := revenue()
	return World{
		Name: "revenue-by-default", Item: 5, Logs: 1_000,
		Text:     "Of ten customers one buys, for a lognormal sum that is cut at the range: 900 rounds of two arms, uniformly. The mean of a0 is tested against what it is, at .001; no test is named.",
		Said:     "the corrected test rejects a true null",
		Before:   "1.9 %: the default was t",
		Unseen:   "as above",
		Protocol: skewedProtocol(law.Mean, ", alpha: 0.001", ""),
		Deploy:   playedUniformly(law, 900), Count: (*Found).decided,
	}
}

// skewedByT is item 5 where t is named: nothing is decided by it.
func skewedByT() World {
	law := power(.02)
	return World{
		Name: "skewed-rewards-by-t", Item: 5, Logs: 1_000,
		Text:     "As skewed-rewards-by-default; test: t is named, and analysis.approximate is not.",
		Said:     "the corrected test rejects a true null",
		Before:   "21 %",
		Unseen:   "nothing while approximate p are refused; the raw p that is printed is as wrong as it was",
		Protocol: skewedProtocol(law.Mean, "", ", test: t"),
		Deploy:   playedUniformly(law, 120), Count: (*Found).decided,
	}
}

// skewedAccepted is item 5 where approximate p are accepted.
func skewedAccepted() World {
	law := power(.02)
	return World{
		Name: "skewed-rewards-accepted", Item: 5, Logs: 1_000,
		Text:     "As skewed-rewards-by-t, with approximate: accept.",
		Said:     "no warning speaks of skewness",
		Before:   "in all",
		Unseen:   "a skewness that the rows at hand do not show: a law with one reward of 1 in 10,000 looks constant in 1,000 rows",
		Protocol: skewedProtocol(law.Mean, ", approximate: accept", ", test: t"),
		Deploy:   playedUniformly(law, 120),
		Also:     []Also{{Said: "the corrected test rejects a true null, as was asked for", Count: (*Found).decided}},
		Count: func(f *Found) bool {
			return !slices.ContainsFunc(f.First().Warnings, func(w string) bool { return strings.Contains(w, "skewed") })
		},
	}
}
