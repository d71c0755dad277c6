package main

import "banditaudit/cmd/kit"

// runSchema is the schema of run.json and of the record of a failed run.
const runSchema = "run.v1"

// lap is a stage with its seconds.
type lap struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// runDocument is the form in which a runRecord is written.
type runDocument struct {
	Schema        string    `json:"schema"`
	Build         kit.Build `json:"build"`
	Argv          []string  `json:"argv"`
	Host          string    `json:"host"`
	Directory     string    `json:"directory"`
	StartedAt     string    `json:"started_at"`
	EndedAt       string    `json:"ended_at"`
	Seconds       float64   `json:"seconds"`
	Stages        []lap     `json:"stages"`
	Rows          int64     `json:"rows"`
	RowsPerSecond float64   `json:"rows_per_second"`
	PeakAnonymous *int64    `json:"peak_anonymous_bytes"`
	ExitCode      int       `json:"exit_code"`
	Reason        string    `json:"reason"`
}
