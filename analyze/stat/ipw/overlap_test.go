package ipw

import "testing"

// Rounds that are joined in two parts are those that are joined at once.
func TestSupportMerge(t *testing.T) {
	var whole, first, second Overlap
	for i := range 60 {
		part, p, y := &first, .01+float64(i%7)/8, float64(i%5)/4
		if i >= 25 {
			part = &second
		}
		for _, s := range []*Overlap{&whole, part} {
			s.pull(new(worth).set(1, p), y)
			s.stands(new(worth).set(1, p))
		}
	}
	first.Merge(&second)
	if first.Pulls != whole.Pulls || first.LowShare != whole.LowShare || first.Least != whole.Least || first.Most != whole.Most || first.Largest != whole.Largest || whole.LowShare == 0 {
		t.Errorf("got %+v, want %+v", first, whole)
	}
	for name, c := range map[string][2]float64{"sum": {first.Sum, whole.Sum}, "low": {first.Low, whole.Low}, "all": {first.All, whole.All}, "squares": {first.Squares, whole.Squares}, "earned": {first.Earned, whole.Earned}} {
		near(t, name, c[0], c[1])
	}
	if want := 1 / .01; whole.Low < 9*want || whole.All <= whole.Low {
		t.Errorf("nine rounds with p = 0.01 stand for %g each: %+v", want, whole)
	}
}
