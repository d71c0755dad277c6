package aggregate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"

	"banditaudit/analyze/decide/claims"
	"banditaudit/schemas"
)

// Outcome is everything found in one experiment.
type Outcome struct {
	Experiment schemas.Experiment
	Claims     []schemas.Finding
	Status     map[string]string // of the assumptions A1–A8, by id
	Remarks    map[string]string // beside the assumptions, by id; the same of every experiment of a log
	Evidence   string            // mode of the replay; "" where none was run
	Family     *Family           // of its declared tests; nil where there are none
	Horizon    int64             // of the declared counter, where the end is declared to be fixed; else 0
	Rows       uint64            // what the rows are known again by in another experiment; 0 where they are not
	Drawn      bool              // the ledger rests on the policy's own draws, without noise
}

// Assembly puts the outcomes of all experiments together, one after another in
// the order of the manifest, and draws the overall line. It keeps claims, unless they are
// kept Apart, and sums, and no experiment. It is not safe for concurrent use.
type Assembly struct {
	head    schemas.Results
	id      hash.Hash
	status  map[string]string
	remarks map[string]string // beside the assumptions, by id
	drawn   bool              // the ledger of an experiment rests on the policy's draws
	tests   families
	log     logNotes
	names   []string // ids of the experiments
	apart   bool
	overall schemas.Overall // of the claims
}

// New begins without experiments. protocol is the effective protocol as
// JSON; inputs come from the manifest.
func New(tool schemas.Tool, protocol []byte, inputs []schemas.Input) *Assembly {
	a := &Assembly{id: runHash(tool, protocol, inputs), status: map[string]string{}}
	a.head = schemas.Results{
		Schema: schemas.ResultsSchema, Tool: tool, Protocol: json.RawMessage(protocol), Inputs: inputs,
		Claims: []schemas.Finding{}, Experiments: []schemas.Experiment{},
	}
	return a
}

// Commit notes the commitment that the log was audited under; nil: none.
func (a *Assembly) Commit(c *schemas.Commitment) { a.head.Commitment = c }

// Apart has the claims kept by whoever adds outcomes: Head has none then.
func (a *Assembly) Apart() { a.apart = true }

// Add takes up the outcome of the next experiment.
func (a *Assembly) Add(o *Outcome) {
	fmt.Fprintf(a.id, "%s\n", o.Evidence)
	for i := range o.Claims {
		a.overall = a.overall.With(&o.Claims[i])
	}
	if !a.apart {
		a.head.Claims = append(a.head.Claims, o.Claims...)
	}
	claims.Weaken(a.status, o.Status)
	a.head.Cautions += len(o.Experiment.Cautions)
	a.drawn = a.drawn || o.Drawn
	a.remarks = o.Remarks
	a.log.add(len(a.names), o)
	a.tests.add(len(a.names), o.Family)
	a.names = append(a.names, o.Experiment.ID)
}

// Head is the document of all outcomes without their experiments.
func (a *Assembly) Head() *schemas.Results {
	r := a.head
	r.RunID = hex.EncodeToString(a.id.Sum(nil))
	r.Assumptions = claims.Assumptions(a.status, a.remarks, a.drawn)
	if r.Family = a.tests.summary(a.names); r.Family != nil {
		if len(a.log.copies) > 0 {
			r.Family.Combined = nil // experiments with the same rows are not independent
		}
		if r.Family.Caution != "" {
			r.Cautions++
		}
	}
	a.overall.Cautions = r.Cautions
	r.Overall = a.overall.String()
	r.Notes = a.log.notes(a.names)
	return &r
}

// runHash begins the run id, the SHA-256 of the protocol, the input digests, the
// version of the tool and, per experiment, the evidence that the replay had,
// each ended by a newline. The evidence belongs to it because the effective
// protocol looks the same with a seed and with its digest alone.
func runHash(tool schemas.Tool, protocol []byte, inputs []schemas.Input) hash.Hash {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", protocol)
	for _, in := range inputs {
		fmt.Fprintf(h, "%s\n", in.SHA256)
	}
	fmt.Fprintf(h, "%s\n", tool.Version)
	return h
}
