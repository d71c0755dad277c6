package analyze_test

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
	"banditaudit/ingest/logfile"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// lab is a log under a protocol: its tableau, and the replay of each of its
// experiments.
type lab struct {
	source   string
	protocol *schemas.Protocol
	json     []byte // the effective protocol
	master   [32]byte
	tableau  *tableau.Tableau
	manifest *schemas.Manifest
	declared *conformance.Declared
	replays  []schemas.ReplayExperiment
}

// changes are texts of a protocol and what is written in their place.
type changes map[string]string

// parse reads a protocol. A declared seed is that of the lab.
func (l *lab) parse(t *testing.T) {
	t.Helper()
	doc, err := analyze.Standard().Format().ParseProtocol("p.yaml", []byte(l.source))
	if err != nil {
		t.Fatalf("%v\n%s", err, l.source)
	}
	l.protocol = &doc.Protocol
	if p := l.protocol.Policy; p != nil && p.Seed != nil {
		p.Seed.Bytes = l.master[:]
	}
	if l.json, err = doc.Effective(); err != nil {
		t.Fatal(err)
	}
}

// simulated is the log of a world in which every arm's rewards are Bernoulli.
func simulated(t *testing.T, source string, seed int64, s *world.Spec) *lab {
	t.Helper()
	l := &lab{source: source, master: replay.Seed(seed)}
	l.parse(t)
	dir := t.TempDir()
	s.Protocol, s.Master, s.CreatedBy = l.protocol, l.master, "test"
	if _, err := world.Simulate(context.Background(), s, dir+"/log"); err != nil {
		t.Fatal(err)
	}
	l.open(t, dir)
	return l
}

// audited is what an audit of a log finds.
func audited(tb testing.TB, l *truth.Log, protocol string) *truth.Found {
	tb.Helper()
	out, err := truth.Audit(l, protocol)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// written is a log of given rows in dir, which is empty. Their rounds are
// numbered from 1 where the first one's is 0.
func written(t *testing.T, dir, source string, spec *logfile.Layout, rows []logfile.Row) *lab {
	t.Helper()
	l := &lab{source: source, master: replay.Seed(1)}
	l.parse(t)
	spec.CreatedBy = "test"
	w, err := logfile.NewWriter(dir, *spec)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		r := rows[i]
		if rows[0].Round == 0 {
			r.Round = int64(i + 1)
		}
		if err := w.Append(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l.open(t, dir)
	return l
}

// open ingests the log below dir and replays it.
func (l *lab) open(t *testing.T, dir string) {
	t.Helper()
	sources, err := files.Discover(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if _, err = ingest.Ingest(context.Background(), l.protocol, sources, to, ingest.Options{Tool: tool()}); err != nil {
		t.Fatal(err)
	}
	if l.tableau, l.manifest, err = tableaudir.Open(to); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.tableau.Close(); err != nil {
			t.Error(err)
		}
	})
	l.replay(t)
}

func (l *lab) declare(t *testing.T) {
	t.Helper()
	var err error
	if l.declared, err = conformance.Declare(analyze.Standard(), l.protocol, l.manifest.Arms); err != nil {
		t.Fatal(err)
	}
}

func (l *lab) replay(t *testing.T) {
	t.Helper()
	l.declare(t)
	l.replays = make([]schemas.ReplayExperiment, len(l.manifest.Experiments))
	for i := range l.replays {
		var err error
		l.replays[i], err = l.declared.Run(context.Background(), l.tableau.Slice(i), &ledger.Disclosures{}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// but is the same log under a changed protocol.
func (l *lab) but(t *testing.T, c changes) *lab {
	t.Helper()
	out := *l
	for before, after := range c {
		if strings.Count(out.source, before) != 1 {
			t.Fatalf("%q does not stand once in\n%s", before, out.source)
		}
		out.source = strings.Replace(out.source, before, after, 1)
	}
	out.parse(t)
	out.replay(t)
	return &out
}

func tool() schemas.Tool { return schemas.Tool{Name: "banditaudit", Version: "test"} }

func (l *lab) input(i, jobs int) *analyze.Input {
	in := &analyze.Input{Log: publiclog.New(l.declared, l.manifest, i, l.tableau.Slice(i))}
	in.Jobs = jobs
	if l.replays != nil {
		in.Replay = &l.replays[i]
	}
	return in
}

// formed counts, for each protocol, the results whose form was looked at.
var formed sync.Map

// analyse is the whole analysis. Every result is held against what is true of all
// results, and the first ten of a protocol are validated against their schema.
func (l *lab) analyse(t *testing.T, jobs int) *schemas.Results {
	t.Helper()
	outcomes := make([]*aggregate.Outcome, len(l.manifest.Experiments))
	for i := range outcomes {
		var err error
		if outcomes[i], err = analyze.Run(context.Background(), l.input(i, jobs)); err != nil {
			t.Fatal(err)
		}
	}
	r := assembled(tool(), l.json, l.manifest.Inputs, outcomes)
	if n, _ := formed.LoadOrStore(l.source, new(atomic.Int32)); n.(*atomic.Int32).Add(1) <= 10 {
		b := encode(t, r)
		if err := analyze.Standard().Format().ValidateResults(b); err != nil {
			t.Fatal(err)
		}
		pointers(t, r, b)
	}
	for i := range r.Experiments {
		l.invariants(t, &r.Experiments[i])
	}
	return r
}

// assembled is the whole document of outcomes.
func assembled(tool schemas.Tool, protocol []byte, inputs []schemas.Input, outcomes []*aggregate.Outcome) *schemas.Results {
	a := aggregate.New(tool, protocol, inputs)
	experiments := []schemas.Experiment{}
	for _, o := range outcomes {
		a.Add(o)
		experiments = append(experiments, o.Experiment)
	}
	r := a.Head()
	r.Experiments = experiments
	return r
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := schemas.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pointers looks up every piece of evidence.
func pointers(t *testing.T, r *schemas.Results, b []byte) {
	t.Helper()
	var document any
	if err := json.Unmarshal(b, &document); err != nil {
		t.Fatal(err)
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		if len(c.Evidence) == 0 && c.Verdict != schemas.NotEstablished {
			t.Errorf("claim %s: %s without evidence", c.ID, c.Verdict)
		}
		for _, pointer := range c.Evidence {
			at := document
			for _, step := range strings.Split(pointer, "/")[1:] {
				switch v := at.(type) {
				case map[string]any:
					at = v[step]
				case []any:
					j, err := strconv.Atoi(step)
					if err != nil || j >= len(v) {
						t.Fatalf("claim %s: %s leads nowhere", c.ID, pointer)
					}
					at = v[j]
				default:
					t.Fatalf("claim %s: %s leads nowhere", c.ID, pointer)
				}
			}
			if at == nil {
				t.Errorf("claim %s: %s leads nowhere", c.ID, pointer)
			}
		}
	}
}

var assumption = regexp.MustCompile(`\bA[1-8]: `)

// invariants are true of every experiment.
func (l *lab) invariants(t *testing.T, e *schemas.Experiment) {
	t.Helper()
	lo, hi := l.protocol.Reward.Range[0], l.protocol.Reward.Range[1]
	within := func(what string, c *schemas.Interval) {
		if c != nil && (c[0] > c[1] || c[0] < lo || c[1] > hi) {
			t.Errorf("%s: interval %v is not in order within [%v, %v]", what, *c, lo, hi)
		}
	}
	for i := range e.Arms {
		a := &e.Arms[i]
		within("ci of "+a.Label, a.CI)
		within("ci_corrected of "+a.Label, a.CICorrected)
		within("confidence_sequence of "+a.Label, a.ConfidenceSequence)
		if a.CI != nil && a.CICorrected != nil && (a.CICorrected[0] > a.CI[0] || a.CICorrected[1] < a.CI[1]) {
			t.Errorf("arm %s: the corrected interval %v is not around the raw one %v", a.Label, *a.CICorrected, *a.CI)
		}
	}
	for i := range e.Tests {
		test := &e.Tests[i]
		inOrder(t, test)
		naive, corrected, paper := method(t, test, schemas.MethodNaive), method(t, test, schemas.MethodCorrected), method(t, test, schemas.MethodPaper)
		for j := range test.Results {
			r := &test.Results[j]
			if test.Kind == schemas.TestMean {
				within(test.ID+" "+r.Method, r.CI)
			}
			oneResult(t, test.ID, r)
		}
		for j := range test.Results {
			r := &test.Results[j]
			switch {
			case r == naive || own(r.Method):
			case r.Applicable && r.Correction == "":
				t.Errorf("%s: %s does not say which correction it is", test.ID, r.Method)
			case r.Applicable && r.Approximate != naive.Approximate:
				t.Errorf("%s: %s is approximate %v over a raw test that is %v", test.ID, r.Method, r.Approximate, naive.Approximate)
			case r.Applicable && (!naive.Applicable || *r.P < *naive.P || r.Bits != nil && *r.Bits < 0):
				t.Errorf("%s: %s p %v is below the naive one %v", test.ID, r.Method, *r.P, naive.P)
			case !r.Applicable && !assumption.MatchString(r.Reason):
				t.Errorf("%s: %s is not applicable for %q, which names no assumption", test.ID, r.Method, r.Reason)
			}
		}
		if paper.Conditional || corrected.Conditional == (l.protocol.Analysis.Correction.Method == "theorem20") {
			t.Errorf("%s: conditional: corrected %v, paper %v", test.ID, corrected.Conditional, paper.Conditional)
		}
		if decided := test.DecidedBy != ""; (test.Decision == schemas.DecisionNone) == decided || (test.Verdict == schemas.NotApplicable) == decided {
			t.Errorf("%s: decision %q, verdict %s, by %q", test.ID, test.Decision, test.Verdict, test.DecidedBy)
		} else if decided && method(t, test, test.DecidedBy).PAdjusted == nil {
			t.Errorf("%s: %s decides without an adjusted p", test.ID, test.DecidedBy)
		}
		if test.Choice == "" {
			t.Errorf("%s: nothing says why %q decides", test.ID, test.DecidedBy)
		}
	}
}

// inOrder checks that the methods of a test stand in the agreed order: raw,
// headline, published, those that need no privacy, then the other corrections.
func inOrder(t *testing.T, test *schemas.Test) {
	t.Helper()
	order := []string{
		schemas.MethodNaive, schemas.MethodCorrected, schemas.MethodPaper, schemas.MethodSequence, schemas.MethodRerun, schemas.MethodAssignment, schemas.MethodAnyTime, schemas.EstimatorAIPW, schemas.EstimatorSqrt, schemas.MethodBatchExact, schemas.MethodBOLS, schemas.MethodConditional, schemas.MethodMoments,
		schemas.MethodRecursion, schemas.MethodAnyLaw, schemas.MethodZCDP, schemas.MethodDelta,
	}
	last := -1
	for i := range test.Results {
		at := slices.Index(order, test.Results[i].Method)
		if at <= last || i < 3 && at != i {
			t.Errorf("%s: result %d is %s", test.ID, i, test.Results[i].Method)
		}
		last = at
	}
}

// oneResult checks what is true of the answer of any method.
func oneResult(t *testing.T, id string, r *schemas.TestResult) {
	t.Helper()
	if !r.Applicable {
		if r.P != nil || r.Log2P != nil || r.PAdjusted != nil || r.Sigma != nil || r.Bits != nil || r.CI != nil {
			t.Errorf("%s: %s is not applicable, and yet gives numbers: %+v", id, r.Method, r)
		}
		return
	}
	if r.P == nil || *r.P < 0 || *r.P > 1 || r.Log2P == nil {
		t.Fatalf("%s: %s is applicable without a p in [0,1]: %+v", id, r.Method, r)
	}
	if log := float64(*r.Log2P); log > -1000 && math.Abs(math.Exp2(log)-*r.P) > 1e-12**r.P {
		t.Errorf("%s: %s log2_p %v is not that of p %v", id, r.Method, log, *r.P)
	}
	if r.PAdjusted != nil && *r.PAdjusted < *r.P {
		t.Errorf("%s: %s adjusted p %v is below p %v", id, r.Method, *r.PAdjusted, *r.P)
	}
	if corrected := !own(r.Method); !corrected && r.Vacuous || corrected && r.Vacuous != (*r.Log2P == 0) {
		t.Errorf("%s: %s p %v, vacuous %v", id, r.Method, *r.P, r.Vacuous)
	}
}

// own reports whether a method gives a p of its own, and corrects none.
func own(method string) bool {
	return slices.Contains([]string{schemas.MethodNaive, schemas.MethodSequence, schemas.MethodRerun, schemas.MethodAssignment, schemas.MethodAnyTime, schemas.EstimatorAIPW, schemas.EstimatorSqrt, schemas.MethodBatchExact, schemas.MethodBOLS}, method)
}

// method is the answer of one method to a test.
func method(t *testing.T, test *schemas.Test, name string) *schemas.TestResult {
	t.Helper()
	for i := range test.Results {
		if test.Results[i].Method == name {
			return &test.Results[i]
		}
	}
	t.Fatalf("test %s has no result of method %s", test.ID, name)
	return nil
}

// claim is the finding with an id.
func claim(t *testing.T, r *schemas.Results, id string) *schemas.Finding {
	t.Helper()
	for i := range r.Claims {
		if r.Claims[i].ID == id {
			return &r.Claims[i]
		}
	}
	t.Fatalf("no claim %s", id)
	return nil
}

// near compares two numbers to a relative 1e-9.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

// warned looks for a warning.
func warned(t *testing.T, e *schemas.Experiment, want string) {
	t.Helper()
	for _, w := range e.Warnings {
		if strings.Contains(w, want) {
			return
		}
	}
	t.Errorf("no warning says %q: %q", want, e.Warnings)
}
