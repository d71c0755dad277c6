package analyze

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"banditaudit/schemas"
)

// Assemble puts the outcomes of all experiments, in the order of the manifest,
// into one document and draws the overall line:
//
//	EXCEPTIONS NOTED (n)  n required claims are VIOLATED
//	INCOMPLETE (n)        none is; n are NOT ESTABLISHED or NOT RUN
//	NO EXCEPTIONS NOTED   otherwise
//
// protocol is the effective protocol as JSON; inputs come from the manifest.
func Assemble(tool schemas.Tool, protocol []byte, inputs []schemas.Input, outcomes []*Outcome) *schemas.Results {
	r := &schemas.Results{
		Schema: schemas.ResultsSchema, Tool: tool, Protocol: json.RawMessage(protocol), Inputs: inputs,
		RunID: runID(tool, protocol, inputs, outcomes), Claims: []schemas.Finding{}, Experiments: []schemas.Experiment{},
	}
	for _, o := range outcomes {
		r.Claims = append(r.Claims, o.Claims...)
		r.Experiments = append(r.Experiments, o.Experiment)
	}
	r.Assumptions = assumptions(outcomes)
	r.Overall = overall(r.Claims)
	return r
}

// runID is the SHA-256 of the protocol, the input digests, the version of the
// tool and, per experiment, the evidence that the replay had, each ended by a
// newline. The evidence belongs to it because the effective protocol looks the
// same with a seed and with its digest alone.
func runID(tool schemas.Tool, protocol []byte, inputs []schemas.Input, outcomes []*Outcome) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", protocol)
	for _, in := range inputs {
		fmt.Fprintf(h, "%s\n", in.SHA256)
	}
	fmt.Fprintf(h, "%s\n", tool.Version)
	for _, o := range outcomes {
		fmt.Fprintf(h, "%s\n", o.Evidence)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func overall(claims []schemas.Finding) string {
	violated, open := 0, 0
	for i := range claims {
		if claims[i].Severity != schemas.SeverityRequired {
			continue
		}
		switch claims[i].Verdict {
		case schemas.Violated:
			violated++
		case schemas.NotEstablished, schemas.NotRun:
			open++
		case schemas.Verified, schemas.Consistent, schemas.NotApplicable:
		}
	}
	switch {
	case violated > 0:
		return fmt.Sprintf("%s (%d)", schemas.OverallExceptions, violated)
	case open > 0:
		return fmt.Sprintf("%s (%d)", schemas.OverallIncomplete, open)
	}
	return schemas.OverallClean
}
