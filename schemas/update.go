package schemas

import (
	"fmt"
	"regexp"
	"strconv"

	"banditaudit/schemas/tree"
)

// Update is the update schedule: the word "batch", {every: n}, {version: column}, or
// {every: 1h, clock: column, attribution: 6h}.
type Update struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer may be nil
	Batch bool  // the policy learns when the batch of the log changes: also with Version and Clock, which say where that is
	Every int64 // it learns after so many rounds

	// Version is the column of versions of the weights, each of which is a batch.
	Version string
	// Clock is the column of times, the first of log.order; a batch is a period of it, of
	// those that begin at a whole number of periods since 1970-01-01 00:00 UTC. A row is
	// learned by the update at a moment u if its time plus Attribution lies before u, and its
	// reward was known before u where log.reward_order says when.
	Clock       string
	Period      string // a number with a unit: s, m, h, d
	Attribution string // the same; "": 0
}

// duration is a whole number with a unit.
var duration = regexp.MustCompile(`^(\d{1,9})(s|m|h|d)$`)

// mostSeconds bounds a time with a unit: some thirty years.
const mostSeconds = 1_000_000_000

// seconds reads a whole number with a unit; −1 for what is none, or too long.
func seconds(text string) int64 {
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	n *= map[string]int64{"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}[m[2]]
	if err != nil || n > mostSeconds {
		return -1
	}
	return n
}

// Seconds returns the period, at least 1, and the attribution window of an update by a clock,
// in seconds; 0 where no attribution is declared.
func (u *Update) Seconds() (period, attribution int64) {
	return max(1, seconds(u.Period)), max(0, seconds(u.Attribution))
}

// SchemaForm is the JSON Schema of all forms.
func (Update) SchemaForm() string {
	return `{"description": "When the policy learns: when the batch changes; after so many rounds; when the version of the weights changes; or by a clock, of rows that are older than the attribution window.", "anyOf": [
		{"const": "batch"},
		{"type": "object", "additionalProperties": false, "required": ["every"], "properties": {"every": {"type": "integer", "minimum": 1}}},
		{"type": "object", "additionalProperties": false, "required": ["version"], "properties": {"version": {"$ref": "#/$defs/Text"}}},
		{"type": "object", "additionalProperties": false, "required": ["every", "clock"], "properties": {
			"every": {"type": "string", "pattern": "^[0-9]{1,9}(s|m|h|d)$"},
			"clock": {"description": "A column of times, the first of log.order.", "$ref": "#/$defs/Text"},
			"attribution": {"type": "string", "pattern": "^[0-9]{1,9}(s|m|h|d)$"}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (u Update) MarshalJSON() ([]byte, error) {
	switch {
	case u.Version != "":
		return compact(map[string]string{"version": u.Version})
	case u.Clock != "":
		return compact(struct {
			Every       string `json:"every"`
			Clock       string `json:"clock"`
			Attribution string `json:"attribution,omitempty"`
		}{u.Period, u.Clock, u.Attribution})
	case u.Batch:
		return compact("batch")
	}
	return compact(map[string]int64{"every": u.Every})
}

// EachRound reports whether the policy learns after every round, as it does where no
// schedule is declared.
func (u *Update) EachRound() bool {
	return u == nil || !u.Batch && u.Every <= 1 && u.Clock == "" && u.Version == ""
}

// LearnsBefore reports whether the policy learns before round t, from 1; another says
// whether the batch of the round is another than that of the round before.
func (u *Update) LearnsBefore(t int64, another bool) bool {
	if u != nil && u.Batch {
		return another
	}
	return u == nil || u.Every <= 1 || (t-1)%u.Every == 0
}

// updates is the declared update schedule, of a policy or of a program; nil for none.
func (p *Protocol) updates() *Update {
	switch {
	case p.Policy != nil:
		return p.Policy.Update
	case p.Program != nil:
		return p.Program.Update
	}
	return nil
}

// Clock is the declared update by a clock; nil where there is none.
func (p Protocol) Clock() *Update {
	if u := p.updates(); u != nil && u.Clock != "" {
		return u
	}
	return nil
}

// Batched reports whether the rounds of the log belong to batches.
func (p Protocol) Batched() bool { return p.Log.Batch != "" || p.Clock() != nil }

// withUnit is a number with letters behind it.
var withUnit = regexp.MustCompile(`^[0-9.]+ *[A-Za-z]+$`)

// update reads batch, or a mapping of one of the other forms.
func (r *reader) update(n *tree.Node, v *Update, path string) {
	if n.Kind == tree.Scalar && n.Text == "batch" {
		v.Batch = true
		return
	}
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "batch, {every: n}, {version: COLUMN} or {every: 1h, clock: COLUMN}", "write {every: 1} for a policy that learns after each round")
		return
	}
	var rounds struct {
		Every       int64  `json:"every"`
		Version     string `json:"version"`
		Clock       string `json:"clock"`
		Attribution string `json:"attribution"`
	}
	for i := range n.Fields {
		if f := &n.Fields[i]; f.Key == "every" && f.Value.Kind == tree.Scalar && withUnit.MatchString(f.Value.Text) {
			v.Period = f.Value.Text
		}
	}
	if v.Period == "" {
		r.form(n, &rounds, path)
	} else {
		times := struct {
			Every       string `json:"every"`
			Version     string `json:"version"`
			Clock       string `json:"clock"`
			Attribution string `json:"attribution"`
		}{}
		r.form(n, &times, path)
		rounds.Version, rounds.Clock, rounds.Attribution = times.Version, times.Clock, times.Attribution
	}
	v.Every, v.Version, v.Clock, v.Attribution = rounds.Every, rounds.Version, rounds.Clock, rounds.Attribution
	v.Batch = v.Version != "" || v.Period != "" || v.Clock != ""
}

// update judges the form of an update schedule.
func (c *checker) update(path string, u *Update) {
	if u == nil || !c.sound(path) {
		return
	}
	given := func(key string) bool { return c.d.Given(path + "." + key) }
	switch {
	case given("version") && (given("every") || given("clock") || given("attribution")):
		c.fail(path+".version", "stands beside another form of an update", "a policy learns when the version changes, or by rounds, or by a clock", "write {version: COLUMN} alone")
	case given("version"):
		c.require(path+".version", u.Version, "it names the column of versions", "write {version: COLUMN}")
		c.versions(path, u)
	case u.Period != "" && u.Clock == "":
		c.missing(path+".clock", "every is a time ("+u.Period+"), and nothing says which column the time is", "add clock: COLUMN, a column of times, or write a number of rounds: {every: 1}")
	case u.Period != "":
		c.clocked(path, u)
	case given("clock") || given("attribution"):
		c.fail(path, "has a clock, and every is no time", "a clock and an attribution window belong to an update by time", "write {every: 1h, clock: COLUMN, attribution: 6h}, or a number of rounds alone: {every: 1}")
	case !u.Batch && u.Every < 1:
		c.fail(path, fmt.Sprintf("is every %d rounds", u.Every), "a policy learns after at least one round", "write {every: 1}")
	}
}

// versions judge a column of versions against that of batches.
func (c *checker) versions(path string, u *Update) {
	if b := c.p.Log.Batch; b != u.Version && u.Version != "" && c.sound("log.batch") {
		c.fail(path+".version", "is "+shown(u.Version)+", and log.batch is "+shown(b), "a change of the version is where a batch ends, and one column says where that is", "delete log.batch, or name the same column")
	}
}

// clocked judges an update by a clock.
func (c *checker) clocked(path string, u *Update) {
	const forms = "a time is a whole number with a unit, s, m, h or d, of at most 1,000,000,000 seconds"
	if seconds(u.Period) < 1 {
		c.fail(path+".every", "is "+shown(u.Period), forms+", and above 0", "write 15m, 1h or 1d")
	}
	if u.Attribution != "" && seconds(u.Attribution) < 0 {
		c.fail(path+".attribution", "is "+shown(u.Attribution), forms, "write 6h, or delete the key where a row is learned at the next update")
	}
	switch order := c.p.Log.Order; {
	case c.p.Log.Batch != "" && c.sound("log.batch"):
		c.fail(path+".clock", "is declared, beside log.batch", "an update by a clock is where a batch ends", "delete log.batch")
	case c.sound("log") && (len(order) == 0 || order[0] != u.Clock):
		c.fail(path+".clock", "is "+shown(u.Clock)+", which is not the first column of log.order", "rounds are in the order of the clock by which the policy learns", "write order: ["+u.Clock+", …] under log, with a column behind it that tells rounds of one moment apart")
	}
}

// learning judges whether the log and the policy agree on when the policy
// learns; of one that does not learn the schedule says nothing.
func (c *checker) learning(p *Policy) {
	if !c.sound("log") {
		return
	}
	switch declared := c.p.Log.Batch != ""; {
	case declared && !c.d.Given("policy.update"):
		c.missing("policy.update", "log.batch is declared, and does not say whether the policy learned from batch to batch, or the column is there for the checks alone",
			"add update: batch if it learned when the batch changed, or update: {every: 1} if after each round")
	case !c.p.Batched() && p.Update != nil && p.Update.Batch && p.Update.Period == "":
		c.fail("policy.update", "is batch, and log.batch is not declared", "the policy learns when the batch changes", "name the column in log.batch, or write update: {every: NUMBER} for batches of equal size")
	}
}
