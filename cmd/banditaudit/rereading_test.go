package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// TestSentencesReadAgain: what the analysis writes and the report or the summary
// knows again is known.
func TestSentencesReadAgain(t *testing.T) {
	const magnified, fits = "A correction magnifies the error of an approximation.", "what fits: "
	for _, c := range []struct {
		name     string
		log      []string
		protocol func(string) string
		report   map[string]int // sentence → how often
		summary  string
	}{
		{
			name:   "a seed verifies; 0 and 1",
			log:    []string{"--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--means", "0.3,0.6", "--rounds", "200"},
			report: map[string]int{schemas.SeedSentence: 3, "Claim policy.conformance: __VERIFIED__": 1, "Claim policy.conformance: __VERIFIED__ " + schemas.SeedSentence: 0, schemas.IntervalExact: 1, magnified: 0},
		},
		{
			name:   "rewards that are neither",
			log:    []string{"--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "beta", "--means", "0.3,0.6", "--rounds", "200"},
			report: map[string]int{schemas.IntervalBets: 1, magnified: 0},
		},
		{
			name: "no ledger", log: []string{"--policy", "ucb", "--counter", "exact", "--means", "0.3,0.6", "--rounds", "200"},
			report: map[string]int{"- No bias bound and no corrected interval. A1: ε of ucb × exact is infinite.": 1, schemas.ArmsNotApplicable: 1},
		},
		{
			name: "a fault without its seed", log: []string{"--policy", "softmax", "--counter", "exact", "--means", "0.3,0.5,0.6", "--rounds", "2000", "--log", "propensities", "--set", "update={every: 50}", "--fault", "propensity-stale"},
			protocol: func(text string) string {
				before, after, _ := strings.Cut(text, "  seed:")
				return before + after[strings.Index(after, "\n")+1:]
			},
			report:  map[string]int{schemas.WhatFits: 4},
			summary: fits,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := simulated(t, c.log...)
			protocol := filepath.Join(dir, "protocol.yaml")
			if c.protocol != nil {
				if err := os.WriteFile(protocol, []byte(c.protocol(readFile(t, protocol))), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(t.TempDir(), "out")
			_, stdout, stderr := run(t, "audit", "-p", protocol, "-o", out, filepath.Join(dir, "log"))
			if strings.Contains(stdout, fits) != (c.summary != "") {
				t.Errorf("the summary is\n%s%s", stdout, stderr)
			}
			text := readFile(t, filepath.Join(out, "report.md"))
			for sentence, n := range c.report {
				if got := strings.Count(text, sentence); got != n {
					t.Errorf("%q stands %d times in the report, want %d", sentence, got, n)
				}
			}
		})
	}
}

// TestLeaves: what was joined is taken apart, and what a sentence wraps is not.
func TestLeaves(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	sentence := fmt.Errorf("%w: %w", a, b)
	for _, tc := range []struct {
		err  error
		want []error
	}{
		{nil, nil},
		{a, []error{a}},
		{sentence, []error{sentence}},
		{errors.Join(sentence), []error{sentence}},
		{errors.Join(a, errors.Join(sentence, nil, c)), []error{a, sentence, c}},
		{fmt.Errorf("%w\n%w", a, b), nil}, // as long as the join of both, and none
	} {
		got := kit.Leaves(tc.err)
		if tc.want == nil && tc.err != nil {
			tc.want = []error{tc.err}
		}
		if fmt.Sprint(got) != fmt.Sprint(tc.want) || len(got) != len(tc.want) {
			t.Errorf("%v: %v, want %v", tc.err, got, tc.want)
		}
	}
}
