package param

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRational(t *testing.T) {
	for _, tc := range []struct {
		text string
		want string // as big.Rat writes it; "inf"; "" for an error
	}{
		{"0.25", "1/4"},
		{"0.1", "1/10"},
		{" 0.1 ", "1/10"},
		{"1e-3", "1/1000"},
		{"1E3", "1000/1"},
		{"+2.", "2/1"},
		{".5", "1/2"},
		{"-0.5", "-1/2"},
		{"0", "0/1"},
		{"1/3", "1/3"},
		{"-2/4", "-1/2"},
		{"010/3", ""}, // octal to big.Rat
		{"05", ""},
		{"2^-20", "1/1048576"},
		{"2^3", "8/1"},
		{"2^+3", "8/1"},
		{"2^0", "1/1"},
		{"inf", "inf"},
		{".inf", "inf"},
		{"+inf", "inf"},
		{"+.inf", "inf"},
		{"-inf", ""},
		{"", ""},
		{"nan", ""},
		{".nan", ""},
		{"1/0", ""},
		{"1/2/3", ""},
		{"0.5/2", ""},
		{"1/-3", ""},
		{"3^2", ""},
		{"2^", ""},
		{"2^1.5", ""},
		{"2^301", ""},
		{"2^-301", ""},
		{"2^300", new(big.Int).Lsh(big.NewInt(1), 300).String() + "/1"},
		{"1e301", ""},
		{"1e-301", ""},
		{"1e999999999", ""},
		{"1e99999999999999999999", ""},
		{"0x1p-2", ""}, // accepted by big.Rat, with an unbounded exponent
		{"0x10", ""},
		{"1_000", ""},
		{"1,5", ""},
		{"ε", ""},
		{strings.Repeat("1", maxLiteral+1), ""},
		{strings.Repeat("1", maxLiteral), strings.Repeat("1", maxLiteral) + "/1"},
	} {
		got, err := ParseRational(tc.text)
		switch {
		case tc.want == "":
			if err == nil || !got.IsZero() {
				t.Errorf("ParseRational(%q) = %v, %v; want an error", tc.text, got, err)
			}
		case err != nil:
			t.Errorf("ParseRational(%q): %v", tc.text, err)
		case tc.want == "inf":
			if !got.Inf() || got.Rat() != nil || !math.IsInf(got.Float(), 1) || got.String() != "inf" {
				t.Errorf("ParseRational(%q) = %v, want +∞", tc.text, got)
			}
		case got.Rat().String() != tc.want || got.Inf():
			t.Errorf("ParseRational(%q) = %v, want %s", tc.text, got.Rat(), tc.want)
		}
	}
}

// TestRationalIsExact writes random fractions in each accepted form and reads
// them back: the value must be that of integer arithmetic, JSON must keep it,
// and its copies must not share memory.
func TestRationalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64Range(-1e12, 1e12).Draw(t, "a")
		e := rapid.IntRange(0, 30).Draw(t, "e")
		want := new(big.Rat)
		var text string
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			den := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(e)), nil)
			want.SetFrac(big.NewInt(a), den)
			text = fmt.Sprintf("%de-%d", a, e)
		case 1:
			b := rapid.Int64Range(1, 1e12).Draw(t, "b")
			want.SetFrac64(a, b)
			text = fmt.Sprintf("%d/%d", a, b)
		default:
			want.SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(e)))
			text = fmt.Sprintf("2^-%d", e)
		}
		got, err := ParseRational(text)
		if err != nil || got.Rat().Cmp(want) != 0 {
			t.Fatalf("ParseRational(%q) = %v, %v; want %v", text, got.Rat(), err, want)
		}
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var again Rational
		if err := json.Unmarshal(b, &again); err != nil || !again.Equal(got) || again.String() != text {
			t.Fatalf("%s through JSON %s is %v, %v", text, b, again, err)
		}
		got.Rat().SetInt64(7)
		if got.Rat().Cmp(want) != 0 {
			t.Fatal("Rat gives out the value itself")
		}
	})
}

func TestRationalZeroAndEqual(t *testing.T) {
	var zero Rational
	if MustRational("0.5").Float() != 0.5 || !math.IsInf(MustRational("inf").Float(), 1) || MustRational("1/3").Float() != 1.0/3 {
		t.Error("Float")
	}
	if !zero.IsZero() || zero.Rat() != nil || !math.IsNaN(zero.Float()) || zero.Inf() {
		t.Errorf("the zero value is %v", zero)
	}
	values := []Rational{zero, MustRational("inf"), MustRational("0.5"), MustRational("2^-1"), MustRational("0")}
	want := [][]bool{
		{true, false, false, false, false},
		{false, true, false, false, false},
		{false, false, true, true, false},
		{false, false, true, true, false},
		{false, false, false, false, true},
	}
	for i, a := range values {
		for j, b := range values {
			if a.Equal(b) != want[i][j] {
				t.Errorf("%q equals %q: %v", a, b, a.Equal(b))
			}
		}
	}
}

func TestMustRationalPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic on a bad literal in code")
		}
	}()
	MustRational("quarter")
}

func TestRationalJSON(t *testing.T) {
	for _, tc := range []struct{ in, out string }{
		{`0.1`, `0.1`},
		{`"0.1"`, `0.1`},
		{`1e-3`, `1e-3`},
		{`"1/3"`, `"1/3"`},
		{`"2^-20"`, `"2^-20"`},
		{`"inf"`, `"inf"`},
		{`"+0.5"`, `"+0.5"`},
		{`null`, `null`},
	} {
		var r Rational
		if err := json.Unmarshal([]byte(tc.in), &r); err != nil {
			t.Errorf("%s: %v", tc.in, err)
			continue
		}
		if b, err := json.Marshal(r); err != nil || string(b) != tc.out {
			t.Errorf("%s is written as %s, %v; want %s", tc.in, b, err, tc.out)
		}
	}
	for _, bad := range []string{`"x"`, `{}`, `[1]`, `true`, `"\u0000"`} {
		var r Rational
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s was read as %v", bad, r)
		}
	}
}
