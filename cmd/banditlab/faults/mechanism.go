// Package faults makes the page testdata/reproduce/FAULTS.md: logs of bandits
// that did something else than was declared, and what an audit says of them. The
// program that writes the file is `banditlab faults`.
package faults

import (
	"fmt"
	"strings"
)

// Horizon is the longest log, and the horizon that counters are declared with.
const Horizon = 50_000

const experiment = "faults"

// means are the means of the arms, whose rewards are coins.
func means() []float64 { return []float64{0.3, 0.5, 0.6} }

// Mechanism is a declared bandit.
type Mechanism struct {
	Name    string
	Policy  string // keys in a protocol
	Counter string
	Log     string // more keys of log, of propensities; "" for none
	Draws   bool   // actions, so that propensities can be logged
	Noise   bool   // its counter adds some
}

// Mechanisms lists the declared bandits of the page.
func Mechanisms() []Mechanism {
	binary := fmt.Sprintf("name: binary, epsilon: 1, horizon: %d", Horizon)
	return []Mechanism{
		{Name: "ucb × binary", Policy: "name: ucb, width: {delta: 0.05}, bonus: quantile", Counter: binary, Noise: true},
		{Name: "ucb × binary, every 10", Policy: "name: ucb, width: {delta: 0.05}, bonus: quantile, update: {every: 10}", Counter: binary, Noise: true},
		{Name: "thompson × hybrid", Policy: "name: thompson, prior: {alpha: 1, beta: 1}", Counter: "name: hybrid, epsilon: 1", Draws: true, Noise: true},
		{Name: "thompson × exact, every 10", Policy: "name: thompson, prior: {alpha: 1, beta: 1}, update: {every: 10}", Counter: "name: exact", Draws: true},
	}
}

// Evidence is what of a log is declared to an audit.
type Evidence string

// The kinds of evidence, best first.
const (
	Seed       Evidence = "seed"
	Released   Evidence = "released"
	Propensity Evidence = "propensity"
	None       Evidence = "none"

	everything Evidence = "everything" // for who writes the log
)

// Evidences lists them.
func Evidences() []Evidence { return []Evidence{Seed, Released, Propensity, None} }

// Has reports whether a log of the mechanism can hold the evidence.
func (m Mechanism) Has(e Evidence) bool { return e != Propensity || m.Draws }

// Protocol is the text of the protocol that declares the mechanism and of the
// log no more than the evidence.
func (m Mechanism) Protocol(e Evidence) string {
	log := "order: [round], action: action, reward: reward"
	if e == Released || e == everything {
		log += ", released_by_arm: released_by_arm"
	}
	if m.Draws && (e == Propensity || e == everything) {
		log += ", propensity: propensity, propensity_by_arm: propensity_by_arm"
		if m.Log != "" {
			log += ", " + m.Log
		}
	}
	policy := m.Policy
	if e == Seed || e == everything {
		policy += ", seed: {file: seed.hex}"
	}
	return strings.Join([]string{
		"version: 1",
		"experiment: {id: " + experiment + ", stopping: fixed}",
		"log: {" + log + "}",
		"arms: [a, b, c]",
		"reward: {range: [0, 1]}",
		"policy: {" + policy + "}",
		"counter: {" + m.Counter + "}",
	}, "\n") + "\n"
}
