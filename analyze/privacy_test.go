package analyze_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// TestPrivacyDefinitions compares claims of every definition with the
// accounting of a counter with ε = 0.1.
func TestPrivacyDefinitions(t *testing.T) {
	base := privateLab(t)
	m, err := analyze.Standard().New(base.protocol, base.manifest.Arms)
	if err != nil {
		t.Fatal(err)
	}
	rho := ledger.Concentrated(m.Law())
	if !(rho > 0 && rho <= .1*math.Tanh(.05)*(1+1e-11)) {
		t.Fatalf("ρ = %v", rho)
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
	full := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	const bound = ": it is an upper bound, and does not show that the mechanism loses as much"
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
		{"approximate, too little", "{definition: approximate, epsilon: 0.05, delta: 1e-9}", schemas.NotEstablished, "ε = 0.1", "the accounting gives ε = 0.1, not 0.05" + bound},
		{"converted", "{definition: approximate, epsilon: 0.099, delta: 0.01}", schemas.Verified, "ε = " + converted, ""},
		{"converted, too little", "{definition: approximate, epsilon: 0.001, delta: 0.01}", schemas.NotEstablished, "ε = " + converted, "the accounting gives ε = " + converted + ", not 0.001" + bound},
		{"zcdp", "{definition: zcdp, rho: 1}", schemas.Verified, "ρ = " + short(rho), ""},
		{"zcdp, exactly", "{definition: zcdp, rho: " + full(rho) + "}", schemas.Verified, "ρ = " + short(rho), ""},
		{"zcdp, within rounding", "{definition: zcdp, rho: " + full(rho*(1-1e-11)) + "}", schemas.NotEstablished, "ρ = " + short(rho), "ρ = " + short(rho) + " is the claim within the rounding of the accounting"},
		{"zcdp, too little", "{definition: zcdp, rho: 0.0001}", schemas.NotEstablished, "ρ = " + short(rho), "the accounting gives ρ = " + short(rho) + ", not 0.0001" + bound},
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

// TestPrivacyOfUsers compares claims about users, of whom the log names one with
// seven rounds at most: less than seven times the ε of one round. Arms are not always
// eligible, so that the logged actions are the only sequence that is shown.
func TestPrivacyOfUsers(t *testing.T) {
	rows := rolesRows(5, 300)
	for i := range rows {
		rows[i].Unit = fmt.Sprint("u", i%50+i/294*50)
		if i%50 == 49 {
			rows[i].Unit = fmt.Sprint("single", i)
		}
	}
	rows[299].Unit = "u0" // one more than six
	spec := rolesSpec()
	spec.Unit = true
	const bound = "the bound is what the costliest rows that her rounds can be lose; "
	for _, c := range []struct {
		claimed  string
		want     schemas.Verdict
		observed string
		reason   string
	}{
		{"{epsilon: 0.7, unit: user}", schemas.Verified, "ε at least 0.4216 and at most 0.65 for a user with up to 7 rounds, of the declared mechanism", bound + "whether the log came from it is not verified"},
		{"{epsilon: 0.65, unit: user}", schemas.Verified, "ε at least 0.4216 and at most 0.65 for a user with up to 7 rounds, of the declared mechanism", bound + "whether the log came from it is not verified"},
		{"{epsilon: 0.6499, unit: user}", schemas.NotEstablished, "ε at least 0.4216 and at most 0.65 for a user with up to 7 rounds, of the declared mechanism", "a user with 6 rounds loses at least 0.4216 (on the logged actions), and one with 7 rounds at most 0.65; the claim of 0.6499 lies between"},
		{"{epsilon: 0.1}", schemas.Verified, "ε = 0.1 of the declared mechanism", "whether the log came from it is not verified"},
	} {
		source := strings.Replace(roles, "policy: {name: uniform}\n", "policy: {name: ucb, width: {delta: 0.05}}\ncounter: {name: hybrid, epsilon: 0.1}\nprivacy: "+c.claimed+"\n", 1)
		source = strings.Replace(source, columns, columns+", unit: unit", 1)
		r := written(t, t.TempDir(), source, spec, rows).analyse(t, 1)
		f := claim(t, r, total)
		if f.Verdict != c.want || f.Observed != c.observed || f.Reason != c.reason {
			t.Errorf("%s: %s, observed %q, reason %q\nwant %s, %q, %q", c.claimed, f.Verdict, f.Observed, f.Reason, c.want, c.observed, c.reason)
		}
		user := strings.Contains(c.claimed, "user")
		if got, want := f.Procedure, "exact rational accounting, summed over the rounds of a user in this experiment"; user != (got == want) {
			t.Errorf("%s: procedure %q", c.claimed, got)
		}
		a := &r.Experiments[0].Privacy
		if *a.LargestUnit != 7 || float64(*a.SumSquaredUnitCosts) < float64(*a.SumSquaredCosts) {
			t.Errorf("%s: largest unit %d, Σc² by row %v, by unit %v", c.claimed, *a.LargestUnit, *a.SumSquaredCosts, *a.SumSquaredUnitCosts)
		}
		said := slices.ContainsFunc(r.Experiments[0].Warnings, func(w string) bool { return strings.HasPrefix(w, "privacy is accounted per round's reward") })
		if said == user {
			t.Errorf("%s: warnings %q", c.claimed, r.Experiments[0].Warnings)
		}
	}
}
