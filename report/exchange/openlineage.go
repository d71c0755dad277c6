package exchange

import (
	"github.com/google/uuid"

	"banditaudit/schemas"
)

const (
	producer    = "urn:banditaudit"
	eventSchema = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
	facets      = "https://openlineage.io/spec/facets/"
)

// Event is an OpenLineage RunEvent of one audit that has ended.
type Event struct {
	EventType string    `json:"eventType"`
	EventTime string    `json:"eventTime"`
	Producer  string    `json:"producer"`
	SchemaURL string    `json:"schemaURL"`
	Run       run       `json:"run"`
	Job       name      `json:"job"`
	Inputs    []dataset `json:"inputs"`
	Outputs   []dataset `json:"outputs"`
}

type run struct {
	RunID string `json:"runId"`
}

type name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

type dataset struct {
	name

	Facets      map[string]any `json:"facets,omitempty"`
	InputFacets map[string]any `json:"inputFacets,omitempty"`
}

// facet is what every facet says of itself.
type facet struct {
	Producer  string `json:"_producer"`
	SchemaURL string `json:"_schemaURL"`
}

// version is the version of a data set: its SHA-256.
type version struct {
	facet

	Version string `json:"datasetVersion"`
}

// assertions are claims about the data set as a whole.
type assertions struct {
	facet

	Assertions []Assertion `json:"assertions"`
}

// Assertion is a claim that was judged.
type Assertion struct {
	Assertion string `json:"assertion"`
	Success   bool   `json:"success"`
}

// OpenLineage is the event of an audit that ended at a time (RFC 3339) and wrote its
// bundle to out. The run's id is the version 5 UUID of run_id in the namespace of URLs.
// Every input has its SHA-256 as its version; the first one has the claims, of which one
// that is VIOLATED did not succeed. Of r neither claims nor experiments are looked at.
func OpenLineage(r *schemas.Results, claims []Assertion, ended, out string) *Event {
	e := &Event{
		EventType: "COMPLETE", EventTime: ended, Producer: producer + ":" + r.Tool.Version, SchemaURL: eventSchema,
		Run:    run{uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.RunID)).String()},
		Job:    name{"banditaudit", "audit"},
		Inputs: []dataset{}, Outputs: []dataset{{name: name{"file", out}}},
	}
	about := func(path string) facet { return facet{e.Producer, facets + path} }
	for _, in := range r.Inputs {
		e.Inputs = append(e.Inputs, dataset{
			name:   name{"file", in.URI},
			Facets: map[string]any{"version": version{about("1-0-1/DatasetVersionDatasetFacet.json"), in.SHA256}},
		})
	}
	if len(e.Inputs) > 0 {
		e.Inputs[0].InputFacets = map[string]any{"dataQualityAssertions": assertions{about("1-0-1/DataQualityAssertionsDatasetFacet.json"), claims}}
	}
	return e
}

// Asserted lists the assertions of the claims that were judged, by experiment, kind and id.
func Asserted(claims []schemas.Finding) []Assertion {
	out := []Assertion{}
	for i := range claims {
		switch claims[i].Verdict {
		case schemas.Verified, schemas.Consistent, schemas.Violated:
			name := class(&claims[i])
			if claims[i].ID != claims[i].Kind {
				name += "." + claims[i].ID
			}
			out = append(out, Assertion{name, claims[i].Verdict != schemas.Violated})
		case schemas.NotEstablished, schemas.NotApplicable, schemas.NotRun:
		}
	}
	return out
}
