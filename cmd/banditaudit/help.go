package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/schemas"
)

func helpCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "help of a command, or of verdicts, exit-codes, environment, libraries",
		UsageText: "banditaudit help [COMMAND | verdicts | exit-codes | environment | libraries]",
		Flags:     flags(),
		Action: func(c *cli.Context) error {
			topic := c.Args().First()
			if text, ok := topics(p.catalogue)[topic]; ok {
				_, err := fmt.Fprint(p.stdout, text)
				return notWritten(err)
			}
			switch {
			case topic == "":
				return cli.ShowAppHelp(c)
			case c.App.Command(topic) == nil:
				return usagef("no help on %s%s; commands: %s; topics: %s; the keys of a protocol: banditaudit schema protocol, and the README under \"Your own log\"", schemas.Quoted(topic), nearest(topic, append(commandNames(c.App), topicNames()...)), strings.Join(commandNames(c.App), ", "), strings.Join(topicNames(), ", "))
			}
			return cli.ShowCommandHelp(c, topic)
		},
	}
}

// topicNames are the topics in the order in which they are listed.
func topicNames() []string { return []string{"verdicts", "exit-codes", "environment", "libraries"} }

func topics(known *catalogue) map[string]string {
	return map[string]string{"verdicts": verdictHelp + unseenHelp(known), "exit-codes": exitHelp, "environment": environmentHelp, "libraries": libraryHelp(known)}
}

// unseenHelp says of every kind of claim what would pass it unseen, by the evidence
// for it.
func unseenHelp(known *catalogue) string {
	var b strings.Builder
	b.WriteString("\nWHAT WOULD PASS UNSEEN, by claim and by the evidence for it\n")
	for _, claim := range known.Format().Claims {
		for _, u := range claim.Unseen {
			fmt.Fprintf(&b, "\n  %s\n", strings.TrimSuffix(claim.Kind+", "+u.By, ", "))
			for _, words := range slices.Concat(u.Words, u.Drawn) {
				for i, line := range terminal.Broken(words, helpWidth-len("    - ")) {
					fmt.Fprintf(&b, "    %s %s\n", map[bool]string{true: "-", false: " "}[i == 0], line)
				}
			}
		}
	}
	return b.String()
}

// libraryHelp lists the policies of libraries that policy.like knows.
func libraryHelp(known *catalogue) string {
	var b strings.Builder
	b.WriteString(libraryText)
	for _, l := range known.Format().Likes {
		fmt.Fprintf(&b, "\n  %s\n", l.Name)
		for _, line := range []string{l.Doc, "fills in " + l.Keys, "beside it " + l.Beside} {
			if line != "beside it " {
				fmt.Fprintf(&b, "    %s\n", strings.Join(terminal.Broken(line, helpWidth-len("    ")), "\n      "))
			}
		}
	}
	return b.String()
}

const libraryText = `LIBRARIES, by policy.like

  policy: {like: mabwiser/ucb1, width: {alpha: 1.25}}

fills in the keys that say what a library's policy does, as its code was read, or run. A
key that is written beside it replaces what it fills in, of a mapping key by key; its
parameters are written so. protocol.effective.yaml of a bundle shows the whole.
`

// helpWidth is the width of a help text.
const helpWidth = 88

const verdictHelp = `VERDICTS, one per claim

  VERIFIED         recomputed; holds exactly or to the stated tolerance
  CONSISTENT       a test at the stated level did not contradict it
  VIOLATED         contradicted by an exact recomputation, a lower bound, or a test
  NOT ESTABLISHED  information insufficient; the reason says what is missing
  NOT APPLICABLE   not claimed, or a prerequisite failed; the reason says which
  NOT RUN          out of scope, or the check could not be carried out

An upper bound above a threshold is NOT ESTABLISHED, never VIOLATED.
VACUOUS stands beside a bound wider than the reward range and a corrected p of 1.

KINDS OF CLAIM, with the best verdict of each

  data.quality                   VERIFIED    checks H01-H04, H08, H09 hold; always there. An
                                             arm never played is noted, and VIOLATED only
                                             where its probability is known in every round
                                             and that of never playing it is at most 0.001
  allocation.matches_propensity  CONSISTENT  arms were played with the logged propensities,
                                             over all rounds (H05) and on both sides of
                                             splits of them (H17); with log.propensity.
                                             H05 and H17 share a level of 0.001. H17 looks
                                             at the previous action, the last reward that
                                             was known, halves and quarters (with stopping:
                                             fixed) and every declared context, 16 splits at
                                             most; besides at both tails and each eighth of
                                             these contexts, at what came before together,
                                             and at each arm's own pulls in about 8, 32, 128
                                             … 32,768 rounds before (longer with more arms);
                                             at each set of eligible arms (log.eligible), the
                                             first 16 that are met, and the others together;
                                             at the two previous actions with the reward
                                             before the last; and at each two of the previous
                                             action and the first four contexts together
                                             (numbers by their median; two with more than 64
                                             cells not), with the arm's own pulls in the
                                             rounds that were alike. By their cells alone it
                                             looks at which of several arms came before, at
                                             the last reward by quartiles, at the first two
                                             contexts of the round before, and with
                                             policy.draw: {by: round} at the visit of the
                                             unit. Of many arms fewer of
                                             these are looked at. What follows anything else
                                             passes, however strongly: no finite list of
                                             wagers sees everything. It
                                             names its splits, what it left out, and the
                                             smallest deviation that it finds in about three
                                             of four logs. A fifth of its level is for how
                                             often the likelier arm of a round is played, by
                                             log.propensity_by_arm or of two declared arms
                                             without log.eligible. With policy.draw:
                                             {by: round} and units of several rounds half of
                                             its level is for the arm of the unit's round
                                             before; with {by: unit} a unit that moves while
                                             nothing that is logged of the weights changed
                                             leaves the claim NOT ESTABLISHED. Where H17 could
                                             find nothing the claim says "marginally". With
                                             policy.draw: {hash: growthbook-v1 or -v2, seed,
                                             unit, coverage} every arm is recomputed from the
                                             unit's key and the weights of its row: VERIFIED
                                             where all are those of the hash, VIOLATED where
                                             one is not; H05 and H17 stand beside it
  policy.conformance             VERIFIED    the log is what the declared policy would have
                                             chosen; with policy, and by the best evidence
                                             that there is: its seed (VERIFIED), the values
                                             that it saw (log.released_by_arm; VERIFIED, or
                                             CONSISTENT where it draws), propensities
                                             (CONSISTENT), or nothing (NOT ESTABLISHED).
                                             Without propensities the arms of uniform and
                                             fixed are held against the declared ones, by
                                             pulls and by the splits of H17 (where arms are
                                             declared), each at level 0.0005.
                                             Logged propensities may differ from recomputed
                                             ones by 1e-6 of the larger and 1e-8, by half a
                                             unit of the last decimal where the log writes
                                             them all with 7 decimals or fewer, or of the last
                                             significant digit where it writes them with 6
                                             or fewer, or in its place by
                                             log.propensity_resolution; where they
                                             differ more, what would explain it is named.
                                             Where rounds are right only within
                                             policy.near_ties (2^-40 of the largest index,
                                             0 for none): CONSISTENT, with their number.
                                             Propensities that are shares of N draws
                                             are held against the law of shares: declare
                                             log.propensity_draws (N, {column:
                                             NAME} with that of every row, or unknown)
  privacy.total                  VERIFIED    the accounting of the declared mechanism gives
                                             at most the claimed ε (ρ of a
                                             zcdp claim); with privacy. Where
                                             policy.conformance is VIOLATED that
                                             mechanism is not the one that ran, and
                                             the claim is NOT ESTABLISHED
  privacy.noise                  CONSISTENT  the noise in the released values is that of the
                                             declared counter; with log.released_by_arm and
                                             a counter that adds noise. VIOLATED by a value
                                             that changed although no reward arrived, and by
                                             tests at level 0.001 together, shared by all
                                             experiments, and by noise that another
                                             experiment of the log has too; then nothing that rests on the
                                             accounting is given
  bias.bound                     VERIFIED    the bias bound of arms is at most a threshold;
                                             asked: {id: B, kind: bias.bound,
                                             comparator: "<=", threshold: 0.02, arms: all}
  hypothesis                     CONSISTENT  the corrected, adjusted test rejects; asked:
                                             {id: C, kind: hypothesis, test: H1,
                                             finding: rejected}; test is the declared
                                             id, and a test of several arms
                                             (arm: each) has to be rejected for
                                             every one; needs a finite ledger

The kind privacy.lower_bound is not in this version. A claim is required unless
it has severity: advisory.

OVERALL
  NO EXCEPTIONS NOTED   every required claim is VERIFIED, CONSISTENT or NOT APPLICABLE
  EXCEPTIONS NOTED (n)  n required claims are VIOLATED
  INCOMPLETE (n)        none is VIOLATED; n are NOT ESTABLISHED or NOT RUN
  …, n CAUTIONS         behind each of these: n things make an answer weak and
                        contradict no claim: few effective rows under weights, a
                        mean of 1/p that is off, rounds without support, a test
                        without an answer, a required claim that holds only by
                        the favourable word of a key that is not declared
`

const exitHelp = `EXIT CODES

    0  procedures done, gate not tripped                          go on
    1  a required claim is VIOLATED; validate: the object failed; stop, do not retry
       reproduce: a gate is not passed
    2  usage or protocol error, output exists without --force     stop, fix
    3  a required claim is NOT ESTABLISHED or NOT RUN             stop, look
    4  the input cannot be read as declared                       look at the input
    5  results computed but not written                           retry
    6  resource limit reached                                     retry larger
   70  internal error                                             report
  130  interrupted                                                rerun
  143  terminated                                                 rerun

5 covers a summary or document that stdout does not take: the output is then not
left under its name either, so that a retry can write it. (An audit's kept
tableau stays.) A reader that has gone away, as after | head, is no failure.

--fail-on violated lets INCOMPLETE pass; --fail-on caution gives 3 for cautions
too; --fail-on never lets everything pass.
go run returns 1 whatever the program's code: build the binary to see these.
`

const environmentHelp = `ENVIRONMENT

  BANDITAUDIT_*  a default for every flag: BANDITAUDIT_JOBS for --jobs,
                 BANDITAUDIT_MAX_MEMORY for --max-memory, and so on
  TMPDIR         where the tableau of an audit lies while it is needed: a directory
                 that exists and can be written to
  CI, TERM=dumb  no progress line

Precedence: flag, then BANDITAUDIT_*, then protocol, then default.
The output holds no colour, so NO_COLOR changes nothing.
`
