package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/schemas"
)

// Run is a bundle: what an audit had.
type Run struct {
	Head *schemas.Results // without claims and experiments
	Results
	tests    []string // declared, by their ids
	protocol any      // as JSON has it
	beyond   int      // found and not kept
	only     string   // the experiment that is asked for; "" for all
}

// Results visits claims, and experiments.
type Results interface {
	Claims(visit func(*schemas.Finding) error) error
	Experiments(visit func(*schemas.Experiment) error) error
}

// Found is what a run had of a name at one place.
type Found struct {
	Experiment string `json:"experiment"`
	Pointer    string `json:"pointer"` // into results.json
	Facts      []Fact `json:"facts"`
	Changes    string `json:"changes"` // what would change it
}

// mostFound is how many places are kept.
const mostFound = 20

// NewRun is a run by what stands around its claims and experiments, and a way to visit these.
func NewRun(head *schemas.Results, results Results) (*Run, error) {
	r := &Run{Head: head, Results: results}
	if len(head.Protocol) > 0 {
		if err := json.Unmarshal(head.Protocol, &r.protocol); err != nil {
			return nil, fmt.Errorf("explain: the protocol of the results: %w", err)
		}
	}
	visitJSON(r.protocol, "", nil, func(_ string, path []string, _ map[string]any, value any) {
		if id, ok := value.(string); ok && strings.Join(path, ".") == "analysis.tests.id" {
			r.tests = append(r.tests, id)
		}
	})
	return r, nil
}

// Only makes the run say what it had of one experiment, and of the protocol, which all
// experiments share. It reports whether the run has such an experiment.
func (r *Run) Only(experiment string) (has bool, err error) {
	r.only = experiment
	err = r.within(func(string, *schemas.Experiment) error {
		has = true
		return nil
	})
	return has, err
}

// skips reports whether another experiment than this one is asked for.
func (r *Run) skips(experiment string) bool {
	return r.only != "" && experiment != "" && experiment != r.only
}

// entries are the names of a run that are not known without it: ids of claims and of
// declared tests, and asked where it is the id of a test of one arm among several, H2/blue.
func (r *Run) entries(known []Entry, asked string) ([]Entry, error) {
	if r == nil {
		return nil, nil
	}
	var out []Entry
	seen := map[string]bool{}
	for i := range known {
		seen[known[i].ID()] = true
	}
	add := func(e Entry) {
		if !seen[e.ID()] {
			seen[e.ID()] = true
			out = append(out, e)
		}
	}
	err := r.Claims(func(c *schemas.Finding) error {
		e := Entry{Kind: "claim", Name: c.ID, of: c.Kind}
		for j := range known {
			if k := &known[j]; k.Kind == e.Kind && k.Name == c.Kind && !seen[e.ID()] {
				e = *k
				e.Name, e.of, e.See = c.ID, c.Kind, append([]string{k.ID()}, k.See...)
			}
		}
		add(e)
		return nil
	})
	ids := r.tests
	if name := strings.TrimPrefix(asked, "test:"); r.declares(name) {
		ids = append(slices.Clone(ids), name)
	}
	for _, id := range ids {
		add(Entry{Kind: "test", Name: id, About: "a declared test", See: []string{"topic:answers", "topic:tests"}})
	}
	return out, err
}

// declares reports whether a name is the id of a declared test, or of one arm of it.
func (r *Run) declares(name string) bool {
	return slices.ContainsFunc(r.tests, func(id string) bool { return id == name || strings.HasPrefix(name, id+"/") })
}

// Had is what the run had of an entry, and how many places more there are than are kept.
func (r *Run) Had(e *Entry) ([]Found, int, error) {
	i := slices.IndexFunc(kinds(), func(k kind) bool { return k.word == e.Kind })
	if i < 0 || kinds()[i].had == nil {
		return []Found{}, 0, nil
	}
	r.beyond = 0
	found, err := kinds()[i].had(r, e)
	more := max(0, len(found)-mostFound) + r.beyond
	return found[:min(len(found), mostFound)], more, err
}

// within visits the experiments that are asked for, with their places.
func (r *Run) within(visit func(at string, x *schemas.Experiment) error) error {
	i := -1
	return r.Experiments(func(x *schemas.Experiment) error {
		i++
		if r.skips(x.ID) {
			return nil
		}
		return visit("/experiments/"+strconv.Itoa(i), x)
	})
}

// keep adds what was found, as long as there is room; the number of others is counted.
func (r *Run) keep(list *[]Found, f *Found) {
	if len(*list) == mostFound {
		r.beyond++
		return
	}
	*list = append(*list, *f)
}

// fact adds a value that there is.
func (f *Found) fact(name string, value any) {
	switch v := value.(type) {
	case string:
		if v == "" {
			return
		}
	case *float64:
		if v == nil {
			return
		}
		value = *v
	case *schemas.Interval:
		if v == nil {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
		value = strings.Join(v, ", ")
	}
	f.Facts = append(f.Facts, Fact{name, value})
}

// withinClaims visits the claims that are asked for, with their places.
func (r *Run) withinClaims(visit func(f *Found, c *schemas.Finding) error) error {
	i := -1
	return r.Claims(func(c *schemas.Finding) error {
		i++
		if r.skips(c.Experiment) {
			return nil
		}
		return visit(&Found{Experiment: c.Experiment, Pointer: "/claims/" + strconv.Itoa(i)}, c)
	})
}

func hadClaims(r *Run, e *Entry) ([]Found, error) {
	var out, others []Found // the contradicted first
	err := r.withinClaims(func(f *Found, c *schemas.Finding) error {
		if c.ID != e.Name && c.Kind != e.Name {
			return nil
		}
		f.fact("verdict", string(c.Verdict))
		f.fact("claim", c.ID)
		f.fact("says", c.Statement)
		f.fact("observed", c.Observed)
		f.fact("asked", strings.TrimSpace(c.Comparator+" "+c.Threshold))
		f.fact("reason", c.Reason)
		f.fact("procedure", c.Procedure)
		f.fact("evidence", c.Evidence)
		f.Changes = claimChanges(c, e.Changes)
		if c.Verdict == schemas.Violated {
			r.keep(&out, f)
		} else {
			r.keep(&others, f)
		}
		return nil
	})
	return append(out, others...), err
}

// claimChanges says what would change a verdict.
func claimChanges(c *schemas.Finding, broken string) string {
	switch c.Verdict {
	case schemas.Violated:
		return "Another log, or a declaration that fits this one: the reason says what fits where anything was found."
	case schemas.NotEstablished, schemas.NotRun, schemas.NotApplicable:
		return "What the reason names."
	case schemas.Verified, schemas.Consistent:
	}
	return broken
}

func hadChecks(r *Run, e *Entry) ([]Found, error) {
	var out []Found
	err := r.within(func(at string, x *schemas.Experiment) error {
		for i := range x.Data.Checks {
			c := &x.Data.Checks[i]
			if c.ID != e.Name {
				continue
			}
			f := Found{Experiment: x.ID, Pointer: at + "/data/checks/" + strconv.Itoa(i)}
			f.fact("status", string(c.Status))
			f.fact("observed", c.Observed)
			f.fact("expected", c.Expected)
			f.fact("statistic", c.Statistic)
			f.fact("p", c.P)
			f.fact("detail", c.Detail)
			if c.Status == schemas.CheckNotRun {
				f.Changes = "What the detail names."
			}
			r.keep(&out, &f)
		}
		return nil
	})
	return out, err
}

func hadTests(r *Run, e *Entry) ([]Found, error) {
	if !r.declares(e.Name) { // a raw test by its name
		return declaredAt("analysis.tests.test")(r, e)
	}
	var out []Found
	err := r.within(func(at string, x *schemas.Experiment) error {
		for i := range x.Tests {
			if t := &x.Tests[i]; t.ID == e.Name || strings.HasPrefix(t.ID, e.Name+"/") {
				f := testFound(t)
				f.Experiment, f.Pointer = x.ID, at+"/tests/"+strconv.Itoa(i)
				r.keep(&out, f)
			}
		}
		return nil
	})
	return out, err
}

// testFound is a test with all its answers.
func testFound(t *schemas.Test) *Found {
	f := &Found{}
	f.fact("decision", t.Decision)
	f.fact("test", t.ID)
	f.fact("hypothesis", t.Hypothesis)
	f.fact("estimate", t.Estimate)
	f.fact("decided by", t.DecidedBy)
	f.fact("why", t.Choice)
	f.fact("condition", t.ValidIf())
	f.fact("assumptions", t.Assumptions)
	f.fact("raw test", t.Test)
	for i := range t.Results {
		if x := &t.Results[i]; x.Applicable {
			f.fact(x.Method, answer(x))
		} else {
			f.fact(x.Method, "not applicable: "+x.Reason)
		}
	}
	switch t.Decision {
	case schemas.DecisionRejected, schemas.DecisionKept:
		f.Changes = "It is rejected where the adjusted p of the method that decides is at most the level (analysis.alpha). analysis.decide names another method, before looking."
	case schemas.DecisionSilent:
		f.Changes = "More rounds: p is 1, and the interval holds nearly every value. analysis.decide names another method, before looking."
	default:
		f.Changes = "What the methods above say that they lack."
	}
	return f
}

// answer writes the result of a method on a line.
func answer(x *schemas.TestResult) string {
	var parts []string
	if x.Statistic != nil {
		parts = append(parts, fmt.Sprintf("statistic %.4g", *x.Statistic))
	}
	if x.P != nil {
		parts = append(parts, "p "+terminal.Probability(*x.P, x.Log2P))
	}
	if x.PAdjusted != nil {
		parts = append(parts, "adjusted p "+terminal.Probability(*x.PAdjusted, nil))
	}
	if x.CI != nil {
		parts = append(parts, fmt.Sprintf("interval [%.4g, %.4g]", x.CI[0], x.CI[1]))
	}
	if x.Vacuous {
		parts = append(parts, "VACUOUS")
	}
	if x.Reason != "" {
		parts = append(parts, x.Reason)
	}
	return strings.Join(parts, ", ")
}

func hadMethods(r *Run, e *Entry) ([]Found, error) {
	var out []Found
	err := r.within(func(at string, x *schemas.Experiment) error {
		for i := range x.Tests {
			t := &x.Tests[i]
			result := t.Result(e.Name)
			if result == nil {
				continue
			}
			f := Found{Experiment: x.ID, Pointer: at + "/tests/" + strconv.Itoa(i)}
			f.fact("test", t.ID)
			f.fact("decides", map[bool]string{true: "yes", false: "no"}[t.DecidedBy == e.Name])
			f.fact("applies", map[bool]string{true: "yes", false: "no"}[result.Applicable])
			f.fact("answer", answer(result))
			r.keep(&out, &f)
		}
		for i := range x.Estimates {
			if t := &x.Estimates[i]; t.Estimator == e.Name {
				f := Found{Experiment: x.ID, Pointer: at + "/estimates/" + strconv.Itoa(i)}
				f.fact("of", t.Target)
				f.fact("estimate", t.Estimate)
				f.fact("interval", t.CI)
				f.fact("reason", t.Reason)
				r.keep(&out, &f)
			}
		}
		return nil
	})
	return out, err
}

// hadVerdicts are the claims with a verdict.
func hadVerdicts(r *Run, e *Entry) ([]Found, error) {
	var out []Found
	err := r.withinClaims(func(f *Found, c *schemas.Finding) error {
		if string(c.Verdict) == e.Name {
			f.fact("claim", c.ID)
			f.fact("reason", c.Reason)
			r.keep(&out, f)
		}
		return nil
	})
	return out, err
}

// hadAssumptions is what became of an assumption.
func hadAssumptions(r *Run, e *Entry) ([]Found, error) {
	var out []Found
	for i := range r.Head.Assumptions {
		if a := &r.Head.Assumptions[i]; a.ID == e.Name {
			f := Found{Pointer: "/assumptions/" + strconv.Itoa(i)}
			f.fact("status", a.Status)
			f.fact("says", a.Text)
			f.fact("checked by", a.CheckedBy)
			r.keep(&out, &f)
		}
	}
	return out, nil
}

// declaredAt finds a name as the value of one of some keys of the protocol.
func declaredAt(keys ...string) func(r *Run, e *Entry) ([]Found, error) {
	return func(r *Run, e *Entry) ([]Found, error) {
		var out []Found
		visitJSON(r.protocol, "/protocol", nil, func(at string, path []string, _ map[string]any, value any) {
			if value == e.Name && slices.Contains(keys, strings.Join(path, ".")) {
				f := Found{Pointer: at}
				f.fact("declared", strings.Join(path, ".")+": "+e.Name)
				r.keep(&out, &f)
			}
		})
		return out, nil
	}
}

// hadKey is the value of a key in the effective protocol, its default where the file has
// none.
func hadKey(r *Run, e *Entry) ([]Found, error) {
	var out []Found
	visitJSON(r.protocol, "/protocol", nil, func(at string, path []string, _ map[string]any, value any) {
		if strings.Join(path, ".") == e.Name && strings.HasSuffix(at, "/"+path[len(path)-1]) {
			f := Found{Pointer: at}
			f.fact(e.Name, value)
			r.keep(&out, &f)
		}
	})
	if len(out) == 0 {
		out = []Found{{Pointer: "/protocol", Facts: []Fact{{e.Name, "not declared, and without a default"}}}}
	}
	return out, nil
}

// hadNumbers are the values of a field.
func hadNumbers(r *Run, e *Entry) ([]Found, error) {
	return r.members(func(key string, of map[string]any, _ any) bool { return key == e.Name && of != nil })
}

// hadWords are the members that a word names, in the singular or the plural, and the numbers
// that checks found under it.
func hadWords(r *Run, e *Entry) ([]Found, error) {
	name := strings.ReplaceAll(e.Name, " ", "_")
	return r.members(func(key string, of map[string]any, value any) bool {
		_, list := value.([]any) // whose entries come by themselves
		return !list && (key == name || key == name+"s" || key == "observed" && of["name"] == name)
	})
}

// members are the members of the results that are asked for, by their key, the object that
// they stand in, nil for an entry of a list, and their value.
func (r *Run) members(asked func(key string, of map[string]any, value any) bool) ([]Found, error) {
	var out []Found
	var visitClaims func() error // where they stand in the head, which is without them
	take := func(experiment, base string, part any) (err error) {
		b, err := schemas.Encode(part)
		if err != nil {
			return err
		}
		var tree any
		if err = json.Unmarshal(b, &tree); err != nil {
			return err
		}
		owner := owners(tree, base)
		visitJSON(tree, base, nil, func(at string, path []string, of map[string]any, value any) {
			if at == "/claims" {
				err = visitClaims()
			}
			if key := path[len(path)-1]; value != nil && asked(key, of, value) {
				f := Found{Experiment: cmp.Or(owner(at), experiment), Pointer: at}
				if r.skips(f.Experiment) {
					return
				}
				f.fact("of", naming(of))
				f.fact(key, value)
				r.keep(&out, &f)
			}
		})
		return err
	}
	visitClaims = func() error {
		return r.withinClaims(func(f *Found, c *schemas.Finding) error { return take(f.Experiment, f.Pointer, c) })
	}
	head := *r.Head
	head.Experiments, head.Protocol = nil, json.RawMessage("null")
	err := take("", "", &head)
	return out, cmp.Or(err, r.within(func(at string, x *schemas.Experiment) error { return take(x.ID, at, x) }))
}

// owners finds the experiment that a place is of, as the innermost object around it names it;
// "" where none does.
func owners(tree any, base string) func(at string) string {
	named := map[string]string{}
	visitJSON(tree, base, nil, func(at string, path []string, of map[string]any, value any) {
		if id, ok := value.(string); ok && of != nil && path[len(path)-1] == "experiment" {
			named[strings.TrimSuffix(at, "/experiment")] = id
		}
	})
	return func(at string) string {
		for ; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
			if id, ok := named[at]; ok {
				return id
			}
		}
		return ""
	}
}

// visitJSON visits the members of all objects, with their JSON pointers, the keys above them
// and the object that each is in; entries of lists have the keys of the list.
func visitJSON(value any, at string, path []string, visit func(at string, path []string, of map[string]any, value any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := append(slices.Clone(path), key)
			pointer := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
			visit(pointer, below, v, v[key])
			visitJSON(v[key], pointer, below, visit)
		}
	case []any:
		for i, one := range v {
			pointer := at + "/" + strconv.Itoa(i)
			if _, object := one.(map[string]any); !object && len(path) > 0 {
				visit(pointer, path, nil, one)
			}
			visitJSON(one, pointer, path, visit)
		}
	}
}

// naming is what an object of results.json is called; "" where it has no name.
func naming(object map[string]any) string {
	for _, key := range []string{"id", "target", "label", "name", "title", "method"} {
		if name, ok := object[key].(string); ok && name != "" {
			if estimator, ok := object["estimator"].(string); ok {
				name += ", " + estimator
			}
			return name
		}
	}
	return ""
}
