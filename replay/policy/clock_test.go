package policy

import (
	"math"
	"testing"

	"banditaudit/schemas/param"
)

// What clocks show in round 7, of which the policy has learned 4 rows.
func TestClocks(t *testing.T) {
	s := &State{Round: 7, Played: []int64{3, 3}, Pulls: []int64{3, 1}}
	for _, tt := range []struct {
		word            string
		offset, horizon int64
		want            int64
	}{
		{"", 0, 0, 7},
		{ClockRound, 2, 0, 9},
		{ClockPlays, 0, 0, 6},
		{ClockPlays, 3, 0, 9},
		{ClockLearned, 0, 0, 4},
		{ClockLearned, 5, 0, 9},
		{"", 0, 100, 100},
	} {
		c := NewClock(tt.word, tt.offset, tt.horizon)
		if got := c.at(s); got != tt.want {
			t.Errorf("%q with offset %d and horizon %d shows %d, want %d", tt.word, tt.offset, tt.horizon, got, tt.want)
		}
	}
}

// Where the logarithm is none, or 0, an index is the mean.
func TestWidthBeforeTheFirstPlay(t *testing.T) {
	for _, tt := range []struct {
		w    Width
		at   int64
		want float64
	}{
		{Width{C: 2}, 0, 0},
		{Width{C: 2}, 1, 0},
		{Width{C: 2}, 2, math.Sqrt(2 * math.Ln2)},
		{Width{Delta: 0.5}, 0, 0},
		{Width{Delta: 0.5}, 1, math.Sqrt(2 * math.Ln2)},
	} {
		if got := tt.w.root(tt.at); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%v at %d: %v, want %v", tt.w, tt.at, got, tt.want)
		}
	}
}

// UCB1 as MABWiser 2.7.4 has it: α = 1.25 is c = 3.125, and with one row of each arm
// the clock shows 2.
func TestWidthByItsFactor(t *testing.T) {
	w := declaredWidth(param.Values{alphaKey: 1.25, clockKey: ClockPlays})
	u := NewUCB(2, w, nil, nil)
	s := seen(u, []int64{1, 1}, []float64{0, 1})
	s.Round = 3
	want := []float64{math.Sqrt(3.125 * math.Ln2), 1 + math.Sqrt(3.125*math.Ln2)}
	for i, got := range u.indices(u.rootAt(u.width.Clock.at(s))) {
		if math.Abs(got-want[i]) > 1e-15 {
			t.Errorf("index %d is %v, want %v", i, got, want[i])
		}
	}
}

// Index of linucb by a factor: one arm with one row x = (1, 0) of reward 1, λ = 2, so
// that V = diag(3, 2) and θ̂ = (1/3, 0), and one without rows, of which the inverse is
// I/λ or λI. The numbers are by hand.
func TestLinUCBByItsFactor(t *testing.T) {
	for _, identity := range []bool{false, true} {
		l := NewLinUCB(2, LinUCBSpec{Lambda: 2, Delta: DefaultDelta, Alpha: 0.5, Identity: identity}, nil, nil)
		l.Size(2)
		s := &State{Round: 2, Played: []int64{1, 0}, Pulls: []int64{1, 0}, Sums: make([]float64, 2), Vectors: [][]float64{{1, 0}, {0, 0}}, X: []float64{1, 2}}
		l.Learn(0, []float64{1, 0}, 1)
		l.Observe(s, 0)
		l.score(s)
		other := 0.5 * math.Sqrt(5.0/2)
		if identity {
			other = 0.5 * math.Sqrt(2*5.0)
		}
		want := []float64{1.0/3 + 0.5*math.Sqrt(1.0/3+4.0/2), other}
		for i, got := range l.index {
			if math.Abs(got-want[i]) > 1e-15 {
				t.Errorf("identity %v: index %d is %v, want %v", identity, i, got, want[i])
			}
		}
	}
}
