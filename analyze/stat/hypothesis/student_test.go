package hypothesis

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/moments"
	"banditaudit/testdata/reference"
)

// sampleOf is a sample with the given size, mean and standard deviation.
func sampleOf(n int64, mean, sd float64) moments.Scalar {
	return moments.Scalar{N: n, Mean: mean, M2: sd * sd * float64(n-1)}
}

// R 4.2.2 t.test and pt (testdata/reference/hypothesis.R).
func TestStudentR(t *testing.T) {
	for _, r := range reference.Rows(t, "hypothesis_r.csv", "t") {
		s := sampleOf(int64(r[0]), r[1], r[2])
		got := Student(s, r[3], Alternative(r[4]), math.Log(r[5]))
		if !near(got.Statistic, r[6], 1e-12) || !near(got.LogP, r[7], 1e-11) || !near(got.Lo, r[8], 1e-10) || !near(got.Hi, r[9], 1e-10) {
			t.Errorf("%v: t = %.14g, ln p = %.14g, [%.14g, %.14g]", r, got.Statistic, got.LogP, got.Lo, got.Hi)
		}
	}
}

func TestStudentSpecial(t *testing.T) {
	level := math.Log(0.05)
	for n, warnings := range map[int64]int{0: 1, 1: 1, 2: 1, 29: 1, 30: 0} {
		s := sampleOf(n, 0.4, 0.2)
		if n < 2 {
			s.M2 = 0
		}
		r := Student(s, 0.5, TwoSided, level)
		if len(r.Warnings) != warnings || math.IsNaN(r.LogP) != (n < 2) || r.N != n || math.IsNaN(r.Estimate) != (n == 0) {
			t.Errorf("N = %d: %+v", n, r)
		}
	}
	if r := Student(moments.Scalar{N: 50, Mean: 0.4}, 0.5, TwoSided, level); !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) || len(r.Warnings) != 1 {
		t.Errorf("equal rewards: %+v", r)
	}
}

func BenchmarkStudent(b *testing.B) {
	s := sampleOf(20_000_000, 0.5, 0.3)
	b.ReportAllocs()
	for b.Loop() {
		Student(s, 0.4999, TwoSided, math.Log(0.05))
	}
}
