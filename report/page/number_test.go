package page

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas"
)

func TestSig(t *testing.T) {
	for _, tc := range []struct {
		in                float64
		sig, short, above string
	}{
		{0, "0", "0", "0"},
		{math.Copysign(0, -1), "0", "0", "0"},
		{1, "1.000", "1", "1"},
		{0.5, "0.5000", "0.5", "0.5"},
		{0.45004, "0.4500", "0.45", "0.4501"},
		{-0.45006, "-0.4501", "-0.4501", "-0.4501"},
		{0.0001234, "0.0001234", "0.0001234", "0.0001234"},
		{0.00001234, "1.234×10^-5", "1.234×10^-5", "1.234×10^-5"},
		{0.00001, "1.000×10^-5", "1×10^-5", "1×10^-5"},
		{9999.6, "10,000", "10,000", "10,000"},
		{123.456, "123.5", "123.5", "123.5"},
		{1234, "1,234", "1,234", "1,234"},
		{12344, "12,340", "12,340", "12,350"},
		{9999999, "1.000×10^7", "1×10^7", "1×10^7"},
		{2.5e30, "2.500×10^30", "2.5×10^30", "2.5×10^30"},
		{0.1, "0.1000", "0.1", "0.1"},                                         // the float lies above 1/10
		{math.Nextafter(0.25, 1), "0.2500", "0.25", "0.25"},                   // one rounding up of an exact 1/4
		{0.25001, "0.2500", "0.25", "0.2501"},                                 // more than rounding
		{0.99999, "1.000", "1", "1"},                                          // a carry through all digits
		{0.999901, "0.9999", "0.9999", "1"},                                   // the same, upward
		{math.Inf(1), "∞", "∞", "∞"},                                          //
		{math.Inf(-1), "-∞", "-∞", "-∞"},                                      //
		{math.NaN(), "—", "—", "—"},                                           //
		{5e-324, "4.941×10^-324", "4.941×10^-324", "4.941×10^-324"},           // the smallest float
		{math.MaxFloat64, "1.798×10^308", "1.798×10^308", "1.798×10^308"},     // the largest
		{1.0 / 3, "0.3333", "0.3333", "0.3334"},                               //
		{2.0 / 3, "0.6667", "0.6667", "0.6667"},                               //
		{200.00000000000003, "200.0", "200", "200"},                           //
		{0.2083333333333334, "0.2083", "0.2083", "0.2084"},                    //
		{math.Expm1(0.25), "0.2840", "0.284", "0.2841"},                       // 0.2840254…
		{math.Tanh(0.025), "0.02499", "0.02499", "0.025"},                     // 0.0249947…
		{1.0 / 88, "0.01136", "0.01136", "0.01137"},                           // 0.0113636…
		{float64(1) / (1 << 20), "9.537×10^-7", "9.537×10^-7", "9.537×10^-7"}, // 9.5367e-7
	} {
		if got := Sig(tc.in); got != tc.sig {
			t.Errorf("sig(%v) = %q, want %q", tc.in, got, tc.sig)
		}
		if got := Short(tc.in); got != tc.short {
			t.Errorf("short(%v) = %q, want %q", tc.in, got, tc.short)
		}
		if got := Up(tc.in); got != tc.above {
			t.Errorf("up(%v) = %q, want %q", tc.in, got, tc.above)
		}
	}
}

// parse reads back what sig wrote.
func parse(t *rapid.T, s string) float64 {
	s = strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), "×10^", "e")
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%q cannot be read back: %v", s, err)
	}
	return v
}

// TestRounding: nearest is within half a unit of the fourth digit, up is never
// below by more than the stated slack and never above by more than one unit.
func TestRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		if got := parse(t, Sig(x)); math.Abs(got-x) > 0.50001e-3*x {
			t.Fatalf("sig(%v) = %s is off by more than half a unit", x, Sig(x))
		}
		got := parse(t, Up(x))
		if got < x*(1-1e-14) || got > x*(1+1.00001e-3) {
			t.Fatalf("up(%v) = %s is not the next number up", x, Up(x))
		}
	})
}

func TestPValue(t *testing.T) {
	for _, tc := range []struct {
		name  string
		p     *float64
		log2p *schemas.Extended
		want  string
	}{
		{"none", nil, nil, "—"},
		{"one", new(1.0), schemas.Ext(0), "1"},
		{"almost one", new(0.99996), schemas.Ext(-0.0000577), "> 0.9999"},
		{"almost one, only the logarithm", nil, schemas.Ext(-0.00001), "> 0.9999"},
		{"ordinary, from p", new(0.04321), schemas.Ext(-4.5), "0.04321"},
		{"without logarithm", new(0.00001), nil, "1×10^-5"},
		{"rounded up, without logarithm", new(math.SmallestNonzeroFloat64), nil, "below 1e-300"},
		{"just large enough", new(1e-298), nil, "1×10^-298"},
		{"zero without logarithm", new(0.0), nil, "below 1e-300"},
		{"small, from the logarithm", new(0.0), schemas.Ext(-1767.28), "9.902×10^-533"}, // 9.9016886e-533: Python 3.11 decimal, 50 digits, D(2).log10()*D("-1767.28")
		{"far below the smallest float", nil, schemas.Ext(-2e6), "1.02×10^-602060"},     // 1.0201688e-602060: the same with -2000000
		{"only the logarithm, ordinary", nil, schemas.Ext(-1), "0.5"},
		{"minus infinity", new(0.0), schemas.Ext(math.Inf(-1)), "below 1e-300"},
	} {
		if got := PValue(tc.p, tc.log2p); got != tc.want {
			t.Errorf("%s: pvalue = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestGroupShareInterval(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := Group(n); got != want {
			t.Errorf("group(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Share(1, 8) + "|" + Share(1, 0); got != "12.5 %|—" {
		t.Errorf("share = %q", got)
	}
	if got := Interval(nil) + Interval(&schemas.Interval{-0.5, 1}); got != "—[-0.5000, 1.000]" {
		t.Errorf("interval = %q", got)
	}
	if got := Ext(nil, Sig) + Opt(nil, Sig) + Ext(schemas.Ext(math.Inf(1)), Up); got != "——∞" {
		t.Errorf("ext and opt = %q", got)
	}
}
