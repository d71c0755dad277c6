package schemas

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"banditaudit/schemas/tree"
)

// What a program answers: policy.gives.
const (
	GivesArm          = "arm"
	GivesPropensities = "propensities"
	GivesBoth         = "both"
)

// Defaults of a policy that is a program.
const (
	DefaultTimeout      = "30s"
	DefaultFirstTimeout = "5m" // where no timeout is declared
	DefaultMemory       = "2GiB"
)

// Parameters are values that a program is handed as they are written: texts, numbers,
// truths, nothing, lists and mappings of these.
type Parameters map[string]any

// SchemaForm is the JSON Schema of any mapping.
func (Parameters) SchemaForm() string {
	return `{"description": "Handed to the program as they are.", "type": "object"}`
}

// jsonNumber is a number as JSON writes it, which is handed on digit by digit.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// parameters reads a mapping of anything.
func (r *reader) parameters(n *tree.Node, v *Parameters, path string) {
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "a mapping", "write {name: value, ...}")
		return
	}
	*v, _ = anything(n).(map[string]any)
}

// anything is a node as JSON would have it.
func anything(n *tree.Node) any {
	switch n.Kind {
	case tree.Mapping:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key] = anything(f.Value)
		}
		return out
	case tree.Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = anything(item)
		}
		return out
	case tree.Scalar, tree.Null:
	}
	return leafValue(n)
}

func leafValue(n *tree.Node) any {
	switch x, err := strconv.ParseFloat(n.Text, 64); {
	case n.Quoted:
		return n.Text
	case n.Text == "" || n.Text == "null" || n.Text == "~":
		return nil
	case n.Text == "true" || n.Text == "false":
		return n.Text == "true"
	case jsonNumber.MatchString(n.Text) && err == nil && !math.IsInf(x, 0):
		return json.Number(n.Text)
	}
	return n.Text
}

// AnswerWithin is how long the program may take for an answer; 30 s where that cannot be read.
func (p *Policy) AnswerWithin() time.Duration { return within(cmp.Or(p.Timeout, DefaultTimeout)) }

// FirstWithin is how long it may take for the first answer: the declared timeout, or 5
// minutes where none is declared.
func (p *Policy) FirstWithin() time.Duration {
	return within(cmp.Or(p.FirstTimeout, p.Timeout, DefaultFirstTimeout))
}

// within reads a time; 30 s where it cannot be read.
func within(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 30 * time.Second //nolint:mnd // DefaultTimeout
	}
	return d
}

// MemoryBytes is what the program may hold; 2 GiB where that cannot be read.
func (p *Policy) MemoryBytes() int64 {
	if n, ok := parseBytes(cmp.Or(p.Memory, DefaultMemory)); ok {
		return n
	}
	return 2 << 30 //nolint:mnd // DefaultMemory
}

// AnswersPropensities reports whether the policy is a program that answers them.
func (p *Policy) AnswersPropensities() bool { return p != nil && p.Gives != GivesArm }

// Reads reports whether rewards are handed to the program.
func (p *Policy) Reads() bool { return p.ReadsRewards == nil || *p.ReadsRewards }

// parseBytes reads a size such as 512MiB.
func parseBytes(text string) (int64, bool) {
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		number, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		size := math.Ldexp(x, 10*(i+1))
		return int64(size), err == nil && size >= 1<<20 && size <= 1<<50
	}
	return 0, false
}

func programDefaults(p *Policy) {
	p.Gives = cmp.Or(p.Gives, GivesArm)
	p.FirstTimeout = cmp.Or(p.FirstTimeout, p.Timeout, DefaultFirstTimeout)
	p.Timeout = cmp.Or(p.Timeout, DefaultTimeout)
	p.Memory = cmp.Or(p.Memory, DefaultMemory)
	if p.ReadsRewards == nil {
		p.ReadsRewards = new(true)
	}
	if p.Update == nil {
		p.Update = &Update{Every: 1}
	}
}

// programKeys lists the keys that belong to policy.exec alone.
func programKeys() []string {
	return []string{"exec_env", "gives", "parameters", "sha256", "timeout", "memory", "reads_rewards"}
}

// programless refuses the keys of a program where there is none.
func (c policyRules) programless() {
	for _, key := range programKeys() {
		c.surplus("policy."+key, "it belongs to policy.exec, which is absent", "add exec: [PROGRAM, ARGUMENT, ...] in place of name, or delete the key")
	}
}

// programRules judge a policy that is a program.
type programRules struct {
	*checker

	program *Policy
}

func (c *programRules) all() {
	p := c.program
	c.own()
	for i, arg := range p.Exec {
		if arg == "" && i == 0 {
			c.fail("policy.exec", "names no program", "the first of the list is what is run", "write exec: [python3, policy.py]")
		}
	}
	if len(p.Exec) == 0 {
		c.fail("policy.exec", "is empty", "the first of the list is what is run", "write exec: [python3, policy.py]")
	}
	for i, name := range p.ExecEnv {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			c.fail(index("policy.exec_env", i), "is "+shown(name), "it names a variable, without a value", "write its name alone")
		}
	}
	for name, sum := range p.SHA256 {
		if _, ok := parseSeed(sum); !ok {
			c.fail("policy.sha256", "gives "+shown(name)+" the digest "+shown(sum), "a SHA-256 is 64 hex digits", "write {FILE: DIGEST}")
		}
	}
	c.closed("policy.gives", p.Gives)
	c.bounds(p)
	c.seedRules(p.Seed)
	c.update("policy.update", p.Update)
	if c.p.Experiment.Column != "" && len(c.p.Arms) == 0 {
		c.fail("policy.exec", "is declared, and arms are not", "the arms of a log of several experiments are not those that each of them chose among", "declare arms")
	}
	if d := p.Draw; d != nil && d.Hash != "" {
		c.fail("policy.draw.hash", "is declared, beside policy.exec", "a program answers for every round by itself", "delete policy.draw, or exec")
	} else if d != nil && d.By == DrawByUnit {
		c.fail("policy.draw.by", "is unit, beside policy.exec", "a program answers for every round by itself", "delete policy.draw, or exec")
	}
	c.learning(p)
}

// own refuses the keys of policies that have a name.
func (c *programRules) own() {
	keys := append([]string{"name", "like", "floor", "ties", "near_ties", "order", "by", "draws"}, c.catalogue.ownKeys()...)
	for _, key := range keys {
		mend := "hand it over in policy.parameters, or delete the key"
		if key == "name" {
			mend = "delete name, or exec"
		}
		c.surplus("policy."+key, "policy.exec is declared, and a program has no keys but those of exec", mend)
	}
}

// bounds judges how long a program may take, and how much it may hold.
func (c *programRules) bounds(p *Policy) {
	if d, err := time.ParseDuration(p.Timeout); err != nil || d <= 0 || d > 24*time.Hour {
		c.fail("policy.timeout", "is "+shown(p.Timeout), "it is a time, above 0 and at most 24h", "write 30s, or 2m")
	}
	if _, ok := parseBytes(p.Memory); !ok {
		c.fail("policy.memory", "is "+shown(p.Memory), "it is a size of at least 1MiB", "write 512MiB, or 2GiB")
	}
}
