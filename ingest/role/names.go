package role

import (
	"slices"
	"strings"
	"unicode"
)

// Words are the parts of a column's name, in lower case: of "userId",
// "user_id" and "ctx.user-id" the last two are "user" and "id".
func Words(name string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, string(word))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1]):
			end()
		case unicode.IsDigit(r) != (len(word) > 0 && unicode.IsDigit(word[len(word)-1])) && len(word) > 0:
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return all
}

// vocabulary are the names that columns of a role have.
type vocabulary struct {
	whole []string // names, their words joined by a space
	parts []string // words that a name may hold
	never []string // words that a name of the role does not hold
}

// Weights of what speaks for a role.
const (
	NameWhole = 60
	NamePart  = 40
)

// match says how well a name goes with a role: nameWhole, namePart or 0.
func (v *vocabulary) match(name string) int {
	parts := Words(name[strings.LastIndexByte(name, '.')+1:])
	for _, w := range parts {
		if slices.Contains(v.never, w) {
			return 0
		}
	}
	if slices.Contains(v.whole, strings.Join(parts, " ")) {
		return NameWhole
	}
	for _, w := range parts {
		if slices.Contains(v.parts, w) {
			return NamePart
		}
	}
	return 0
}

// Match says how well a name goes with the role: NameWhole, NamePart or 0.
func (r Role) Match(name string) int { return vocabularyOf(r).match(name) }

// vocabularyOf returns the names of a role.
func vocabularyOf(r Role) *vocabulary {
	list := strings.Fields
	switch r {
	case Experiment:
		return &vocabulary{whole: []string{"experiment", "experiment id", "experiment name", "exp", "exp id", "study", "study id", "trial id", "campaign id", "test id", "test name"}, parts: list("experiment"), never: list("arm group bucket variant ts time")}
	case Order:
		return &vocabulary{whole: []string{"t", "ts", "time", "timestamp", "round", "step", "seq", "event time", "event ts", "created at", "date", "dt", "datetime", "row number", "row id", "index", "idx", "position", "rank", "slot"}, parts: list("ts time timestamp round step seq sequence datetime date at position"), never: list("reward click conversion outcome feedback id")}
	case Action:
		return &vocabulary{whole: []string{"action", "action id", "arm", "arm id", "arm name", "a", "variant", "variant id", "variation", "treatment", "item id", "item", "choice", "chosen", "chosen arm", "chosen action", "decision", "creative id", "banner id", "ad id"}, parts: list("action arm variant variation treatment creative banner choice"), never: list("p prob probs probability propensity propensities pscore score scores reward rewards ts time features context noisy released eligible available sums position")}
	case Reward:
		return &vocabulary{whole: []string{"reward", "y", "click", "clicks", "clicked", "is click", "conversion", "converted", "purchase", "purchased", "bought", "outcome", "success", "response", "responded", "payoff", "target", "revenue", "opened"}, parts: list("reward clicked click converted conversion purchased purchase outcome success payoff revenue"), never: list("ts time timestamp at date id order noisy released sum sums rate ctr prob count history previous prior last lag")}
	case RewardOrder:
		return &vocabulary{parts: list("reward click clicked conversion converted outcome feedback purchase purchased response")}
	case Propensity:
		return &vocabulary{whole: []string{"p", "prob", "probability", "propensity", "propensity score", "pscore", "p score", "action prob", "action probability", "p action"}, parts: list("propensity pscore prob probability"), never: list("log logit reward click conversion")}
	case PropensityByArm:
		return &vocabulary{whole: []string{"pi", "p", "policy"}, parts: list("propensities propensity probs prob probabilities probability pscores pscore distribution")}
	case RewardByArm:
		return &vocabulary{parts: list("reward rewards outcomes counterfactual payoffs")}
	case ReleasedByArm:
		return &vocabulary{parts: list("noisy released noised private dp")}
	case Eligible:
		return &vocabulary{parts: list("eligible available allowed mask candidates candidate slate")}
	case Batch:
		return &vocabulary{whole: []string{"dt", "date", "day", "hour", "week", "month", "period", "wave"}, parts: list("batch wave epoch")}
	case Unit:
		return &vocabulary{whole: list("unit user userid uid person player session sessionid visitor customer client device subject participant patient member account household"), parts: nil}
	case Draws:
		return &vocabulary{whole: []string{"propensity draws", "propensity samples", "n samples", "num samples", "n draws", "num draws", "mc samples", "mc draws", "n mc samples", "posterior samples", "posterior draws", "nsamples", "ndraws"}}
	case Target: // declared where it is asked for, and never guessed
		return &vocabulary{}
	case Context, ContextList, ContextByArm:
		return &vocabulary{whole: list("x context features embedding vector covariates"), parts: list("features feature context embedding vector covariates")}
	}
	return &vocabulary{}
}

// IsUnitName also takes "user id", "visitor key" and the like.
func IsUnitName(name string) bool {
	parts := Words(name[strings.LastIndexByte(name, '.')+1:])
	whole := vocabularyOf(Unit).whole
	if n := len(parts); n > 1 && slices.Contains([]string{"id", "key", "hash", "uuid", "number", "no"}, parts[n-1]) {
		return slices.Contains(whole, parts[n-2])
	}
	return len(parts) == 1 && slices.Contains(whole, parts[0])
}

// IsKeyName reports whether a name says that the column identifies something.
func IsKeyName(name string) bool {
	parts := Words(name)
	last := parts[max(len(parts)-1, 0):]
	return len(last) == 1 && slices.Contains([]string{"id", "uuid", "guid", "key", "hash"}, last[0])
}
