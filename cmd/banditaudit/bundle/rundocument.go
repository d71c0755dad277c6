package bundle

import "banditaudit/cmd/kit"

// RunSchema is the schema of run.json and of the record of a failed run.
const RunSchema = "run.v1"

// Lap is a stage with its seconds.
type Lap struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// RunDocument is the form in which a runRecord is written.
type RunDocument struct {
	Schema        string    `json:"schema"`
	Build         kit.Build `json:"build"`
	Argv          []string  `json:"argv"`
	Host          string    `json:"host"`
	Directory     string    `json:"directory"`
	StartedAt     string    `json:"started_at"`
	EndedAt       string    `json:"ended_at"`
	Seconds       float64   `json:"seconds"`
	Stages        []Lap     `json:"stages"`
	Rows          int64     `json:"rows"`
	RowsPerSecond float64   `json:"rows_per_second"`
	PeakAnonymous *int64    `json:"peak_anonymous_bytes"`
	ExitCode      int       `json:"exit_code"`
	Reason        string    `json:"reason"`
}
