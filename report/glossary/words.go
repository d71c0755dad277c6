// Package glossary says what the words of a report and of the help mean, each in a plain
// sentence. It is their only list.
//
// # Add a word
//
// A word is a line of Words: one plain sentence, formula, source. It must stand in the manual or
// in a report of the goldens; explain and help glossary have it from there.
package glossary

// Word is a word of this subject.
type Word struct {
	Word    string
	Says    string   // one sentence that a reader with school statistics understands
	Formula string   // "" where it has none
	Source  string   // "" where it is a word of this program
	Forms   []string // others in which it stands in a text, such as its plural
	See     []string // names that explain more: number:ess, help topics
}

// Words are all words, in the order of their letters. A new one is a line.
func Words() []Word {
	return []Word{
		{Word: "adaptive", Says: "Chosen by looking at what came before: an adaptive experiment plays an arm more often once it has paid well.", Forms: []string{"adaptively"}},
		{Word: "alpha", Says: "The level of the tests: how often they may reject, at most, where there is nothing to find.", Forms: []string{"α"}, See: []string{"key:analysis.alpha"}},
		{Word: "any-time", Says: "Valid whenever one stops and looks, and not only at a number of rounds that was fixed before.", Formula: "P(the statement ever fails) ≤ α", Source: "Ville 1939, Étude critique de la notion de collectif", Forms: []string{"at any time"}, See: []string{"method:any-time"}},
		{Word: "arm", Says: "One of the things that can be chosen in a round: a page, an offer, a treatment.", Forms: []string{"arms"}},
		{Word: "bandit", Says: "A program that chooses one arm in every round, sees what that arm paid, and learns from it.", Source: "Robbins 1952, doi:10.1090/S0002-9904-1952-09620-8", Forms: []string{"bandits"}},
		{Word: "batch", Says: "The rounds between two moments at which the policy learns.", Forms: []string{"batches"}, See: []string{"key:log.batch"}},
		{Word: "bias", Says: "By how much an average is off for a reason that more rounds do not remove.", Formula: "E[estimate] − truth", See: []string{"number:bias_bound", "claim:bias.bound"}},
		{Word: "bundle", Says: "The directory that an audit writes: report, results, tables, figures and checksums.", See: []string{"topic:reading"}},
		{Word: "caution", Says: "Something that makes an answer weak, and contradicts no claim.", Forms: []string{"cautions"}, See: []string{"topic:reading"}},
		{Word: "change period", Says: "After how many rounds, or how much time, the logged propensities change again and again.", Forms: []string{"change_period"}, See: []string{"check:H10"}},
		{Word: "claim", Says: "A statement about the experiment that the audit comes to a verdict on.", Forms: []string{"claims"}, See: []string{"topic:verdicts"}},
		{Word: "conditional", Says: "Holding with something kept as it was: given the actions, an answer stays valid for a question that was asked after looking at the actions.", Forms: []string{"given the actions", "given the logged actions"}},
		{Word: "confidence interval", Says: "The values that the data do not rule out at the stated level.", Source: "Neyman 1937, doi:10.1098/rsta.1937.0005", Forms: []string{"interval", "intervals"}, See: []string{"number:ci"}},
		{Word: "confidence sequence", Says: "An interval after every round, all of which hold together: one may look at any time.", Source: "Darling and Robbins 1967, doi:10.1073/pnas.58.1.66", Forms: []string{"confidence sequences"}, See: []string{"number:confidence_sequence"}},
		{Word: "conformance", Says: "Whether the log is what the declared policy would have chosen.", See: []string{"claim:policy.conformance"}},
		{Word: "context", Says: "What was known of a round before its arm was chosen, such as the visitor's device.", Forms: []string{"contexts"}, See: []string{"key:log.context"}},
		{Word: "counter", Says: "What adds up rewards for the policy, with noise where they are to stay private.", Source: "Chan, Shi and Song 2011, doi:10.1145/2043621.2043626", Forms: []string{"counters"}, See: []string{"topic:counters"}},
		{Word: "coverage", Says: "How often an interval made in this way holds the true value, over many experiments.", Formula: "P(the interval holds the truth) ≥ 1 − α", Source: "Neyman 1937, doi:10.1098/rsta.1937.0005"},
		{Word: "delta", Says: "A small probability by which chances may differ beyond what epsilon allows.", Formula: "P(output | one data set) ≤ e^ε · P(output | its neighbour) + δ", Source: "Dwork et al. 2006, doi:10.1007/11761679_29", Forms: []string{"δ"}, See: []string{"number:delta_claimed"}},
		{Word: "e-value", Says: "What a fair wager against the hypothesis has won for each unit that was staked: 20 is as strong as a p of 0.05.", Formula: "E[e] ≤ 1 where the hypothesis is true; p = min(1, 1/e)", Source: "Vovk and Wang 2021, doi:10.1214/20-AOS2020", Forms: []string{"e-values", "wager", "wagers"}},
		{Word: "effective sample size", Says: "How many equally weighted rounds would say as much as the weighted ones do.", Formula: "(Σw)²/Σw²", Source: "Kish 1965, Survey Sampling", Forms: []string{"ESS", "effective rounds", "effective_sample_size"}, See: []string{"number:ess", "check:H14"}},
		{Word: "epsilon", Says: "The privacy parameter: changing one reward changes the probability of anything that was given out by at most the factor e^ε, so that 0 gives nothing away.", Formula: "P(output | one data set) ≤ e^ε · P(output | its neighbour)", Source: "Dwork, McSherry, Nissim and Smith 2006, doi:10.1007/11681878_14", Forms: []string{"ε"}, See: []string{"number:epsilon_mechanism", "claim:privacy.total"}},
		{Word: "exceptions noted", Says: "How the overall line ends where a required claim is VIOLATED, with their number; where all required claims hold it is NO EXCEPTIONS NOTED.", Forms: []string{"EXCEPTIONS NOTED", "NO EXCEPTIONS NOTED"}, See: []string{"topic:verdicts"}},
		{Word: "floor", Says: "The least probability with which every arm is played.", Forms: []string{"floors"}, See: []string{"key:policy.floor"}},
		{Word: "incomplete", Says: "What the overall line says where no required claim is VIOLATED and one could not be established, with their number.", Forms: []string{"INCOMPLETE"}, See: []string{"topic:exit-codes"}},
		{Word: "inverse propensity deviation", Says: "By how many per cent the sum of 1/p over an arm's plays is off the number of rounds, where the propensities of the other arms are not logged; no excess of plays.", Formula: "Σ1/p over the plays, divided by the rounds, − 1", Forms: []string{"inverse_propensity_deviation"}, See: []string{"check:H05"}},
		{Word: "junit.xml", Says: "The claims as a test runner reads them: a VIOLATED claim is a failed test there.", See: []string{"topic:reading"}},
		{Word: "largest pulls deviation", Says: "By how many per cent the arm that is farthest off was played more or less often than its propensities let expect.", Formula: "plays/Σp − 1", Forms: []string{"largest_pulls_deviation"}, See: []string{"check:H05"}},
		{Word: "ledger", Says: "The account of what every logged reward could have given away through what the policy released.", Source: "Neel and Roth 2018, arXiv:1806.02329", Forms: []string{"accounting"}, See: []string{"number:epsilon_realized"}},
		{Word: "max-information", Says: "How much a choice that was made by the data can have raised the chance of a false finding, as a factor on p.", Formula: "log2 of the largest factor, up to a small β", Source: "Dwork et al. 2015, arXiv:1506.02629", See: []string{"number:bits"}},
		{Word: "mean inverse propensity", Says: "The mean of 1/p over the rounds, which is near the number of arms where the propensities are right.", Forms: []string{"mean_inverse_propensity"}, See: []string{"check:H14"}},
		{Word: "mechanism", Says: "The policy and its counter together: all that decided what was played, and what was given out.", Forms: []string{"mechanisms"}},
		{Word: "multiplicity", Says: "That many tests find something by chance sooner than one does, for which their p-values are adjusted.", Source: "Holm 1979, Scandinavian Journal of Statistics 6", Forms: []string{"Holm", "Bonferroni"}, See: []string{"key:analysis.multiplicity", "number:p_adjusted"}},
		{Word: "no answer", Says: "The decision on a test whose p is 1 and whose interval holds nearly every value that could be: the data say nothing of its hypothesis.", See: []string{"topic:answers"}},
		{Word: "noise", Says: "Random numbers that were added on purpose to what the policy saw, so that no single reward shows.", See: []string{"claim:privacy.noise"}},
		{Word: "not rejected", Says: "The decision on a test whose adjusted p is above the level: the data do not rule its hypothesis out, and do not show it either.", See: []string{"key:analysis.alpha"}},
		{Word: "p-value", Says: "How often data as far from the hypothesis as these, or farther, come up where it is true.", Forms: []string{"p-values", "p"}, See: []string{"number:p"}},
		{Word: "policy", Says: "The rule by which an arm is chosen in every round.", Forms: []string{"policies"}, See: []string{"topic:policies"}},
		{Word: "propensity", Says: "The probability with which the arm of a round was chosen, as it stood before the choice.", Source: "Rosenbaum and Rubin 1983, doi:10.1093/biomet/70.1.41", Forms: []string{"propensities"}, See: []string{"key:log.propensity", "claim:allocation.matches_propensity"}},
		{Word: "protocol", Says: "The file that declares the experiment and what is asked of it.", See: []string{"topic:protocol"}},
		{Word: "rejected", Says: "The decision on a test whose adjusted p is at most the level: the data speak against its hypothesis.", See: []string{"key:analysis.alpha"}},
		{Word: "released value", Says: "A sum of rewards with its noise, as the policy saw it.", Forms: []string{"released values"}, See: []string{"key:log.released_by_arm"}},
		{Word: "replay", Says: "Running the declared policy again on the logged history, to see whether it chooses what the log says.", Forms: []string{"replays", "replayed", "recomputed"}, See: []string{"topic:replay"}},
		{Word: "reward", Says: "What the arm of a round paid, such as a click or an amount.", Forms: []string{"rewards"}},
		{Word: "rho", Says: "Another privacy parameter, which adds up over releases more sharply than epsilon does.", Formula: "Rényi divergence of order a ≤ ρ·a for every a > 1", Source: "Bun and Steinke 2016, arXiv:1605.02065", Forms: []string{"ρ"}, See: []string{"number:rho_mechanism"}},
		{Word: "round", Says: "One choice of an arm with what it paid: a row of the log.", Forms: []string{"rounds"}},
		{Word: "seed", Says: "The number from which a program's random draws can be made again.", Forms: []string{"seeds"}, See: []string{"key:policy.seed"}},
		{Word: "sigma", Says: "How much the actions can have told about rewards: the larger it is, the more a p-value is corrected.", Formula: "σ² = 2·Σρ(c) over the rows that a test reads", Forms: []string{"σ"}, See: []string{"number:sigma"}},
		{Word: "standard error", Says: "How far an estimate typically is from what it estimates, because of chance.", Forms: []string{"SE", "standard errors"}, See: []string{"number:std_error"}},
		{Word: "tableau", Says: "The log as the program keeps it while it works: one row for each round, with every reward, behind one gate.", See: []string{"topic:log"}},
		{Word: "unit", Says: "Whom or what rounds belong to that depend on each other, such as a user.", Forms: []string{"units"}, See: []string{"key:log.unit"}},
		{Word: "vacuous", Says: "True and saying nothing: a bound that is wider than all that rewards can be, or a corrected p of 1.", Forms: []string{"VACUOUS"}},
		{Word: "weighted estimate", Says: "An average in which a round counts the more the less likely its arm was, so that it speaks of all rounds.", Formula: "(1/T)·Σ 1{arm played}·y/p", Source: "Horvitz and Thompson 1952, doi:10.1080/01621459.1952.10483446", Forms: []string{"weighted estimates", "weighted average", "weighted averages", "weighted mean", "weighted means", "IPW"}, See: []string{"topic:answers"}},
	}
}
