package schemas

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExtendedJSON(t *testing.T) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1.5, -2, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1)} {
		b, err := json.Marshal(Extended(v))
		if err != nil {
			t.Fatal(err)
		}
		var got Extended
		if err := json.Unmarshal(b, &got); err != nil || math.Float64bits(float64(got)) != math.Float64bits(v) {
			t.Errorf("%v through JSON %s is %v, %v", v, b, got, err)
		}
	}
	if _, err := json.Marshal(Extended(math.NaN())); err == nil {
		t.Error("NaN was written")
	}
	for _, bad := range []string{`"infinity"`, `"1"`, `{}`, `null`, `true`} {
		x := Extended(7)
		if err := x.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s was read as %v", bad, x)
		}
	}
	p := new(Extended)
	if err := json.Unmarshal([]byte(`null`), &p); err != nil || p != nil {
		t.Errorf("null in a pointer is %v, %v", p, err)
	}
}

func TestPointersToNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	if Finite(nan) != nil || Finite(inf) != nil || Finite(-inf) != nil || *Finite(2) != 2 {
		t.Error("Finite")
	}
	if Ext(nan) != nil || !math.IsInf(float64(*Ext(inf)), 1) || *Ext(2) != 2 {
		t.Error("Ext")
	}
	if NewInterval(nan, 1) != nil || NewInterval(0, inf) != nil {
		t.Error("an interval without an end is not null")
	}
	if d := cmp.Diff(&Interval{1, 0}, NewInterval(1, 0)); d != "" {
		t.Errorf("an empty interval: %s", d)
	}
}
