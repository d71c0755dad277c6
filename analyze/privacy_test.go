package analyze_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// TestPrivacyDefinitions compares claims of every definition with the
// accounting of a counter with ε = 0.1.
func TestPrivacyDefinitions(t *testing.T) {
	base := privateLab(t)
	m, err := replay.New(base.protocol, base.manifest.Arms)
	if err != nil {
		t.Fatal(err)
	}
	rho := ledger.Concentrated(m.Law())
	if !(rho > 0 && rho <= .1*math.Tanh(.05)*(1+1e-11)) {
		t.Fatalf("ρ = %v", rho)
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
	full := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	converted := short(ledger.Approximate(rho, .01))
	for _, c := range []struct {
		name, claimed string
		want          schemas.Verdict
		observed      string
		reason        string
	}{
		{"the budget split over three arms", "{epsilon: 0.3}", schemas.Verified, "ε = 0.1", "the claim is 3 times what the accounting gives: the losses of 3 arms are not added, since each row enters the counter of one"},
		{"nearly that", "{epsilon: 0.31}", schemas.Verified, "ε = 0.1", ""},
		{"approximate, small δ", "{definition: approximate, epsilon: 0.1, delta: 1e-9}", schemas.Verified, "ε = 0.1", ""},
		{"approximate, too little", "{definition: approximate, epsilon: 0.05, delta: 1e-9}", schemas.Violated, "ε = 0.1", "the accounting of the declared mechanism gives ε = 0.1, not 0.05"},
		{"converted", "{definition: approximate, epsilon: 0.099, delta: 0.01}", schemas.Verified, "ε = " + converted, ""},
		{"converted, too little", "{definition: approximate, epsilon: 0.001, delta: 0.01}", schemas.Violated, "ε = " + converted, "the accounting of the declared mechanism gives ε = " + converted + ", not 0.001"},
		{"zcdp", "{definition: zcdp, rho: 1}", schemas.Verified, "ρ = " + short(rho), ""},
		{"zcdp, exactly", "{definition: zcdp, rho: " + full(rho) + "}", schemas.Verified, "ρ = " + short(rho), ""},
		{"zcdp, within rounding", "{definition: zcdp, rho: " + full(rho*(1-1e-11)) + "}", schemas.NotEstablished, "ρ = " + short(rho), "ρ = " + short(rho) + " is the claim within the rounding of the accounting"},
		{"zcdp, too little", "{definition: zcdp, rho: 0.0001}", schemas.Violated, "ρ = " + short(rho), "the accounting of the declared mechanism gives ρ = " + short(rho) + ", not 0.0001"},
		{"users that nobody named", "{epsilon: 1, unit: user}", schemas.NotEstablished, "", "the log does not say which rounds are whose; name the column of the users in log.unit"},
	} {
		r := base.but(t, changes{privacyLine: "privacy: " + c.claimed + "\n"}).analyse(t, 1)
		f := claim(t, r, total)
		if f.Verdict != c.want || f.Observed != c.observed || f.Reason != c.reason {
			t.Errorf("%s: %s, observed %q, reason %q\nwant %s, %q, %q", c.name, f.Verdict, f.Observed, f.Reason, c.want, c.observed, c.reason)
		}
		if strings.Contains(c.claimed, "rho") && !strings.Contains(f.Statement, "at most ρ = ") {
			t.Errorf("%s: %s", c.name, f.Statement)
		}
	}
}
