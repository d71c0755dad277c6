package drift

import (
	"math"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
)

// Following asks whether the rewards of an arm follow something that was known before its
// rounds were drawn: On are the rewards where that is so, Off the others.
type Following struct{ On, Off moments.Scalar }

// FollowingPulls is how many rewards of an arm there must be.
const FollowingPulls = 30

// Merge joins the rewards of other rounds; o stays as it is.
func (f *Following) Merge(o *Following) {
	f.On.Merge(o.On)
	f.Off.Merge(o.Off)
}

// Looked reports whether the rewards can follow: there are at least [FollowingPulls], on
// both sides. It asks no reward.
func (f *Following) Looked() bool {
	return f.On.N > 0 && f.Off.N > 0 && f.On.N+f.Off.N >= FollowingPulls
}

// Z holds rewards y against the side c, 1 on and 0 off, with e = y − ȳ and d = c − c̄:
//
//	Z = Σe·d/√Σe²d²
//
// which is about standard normal where the mean is the same on both sides, however much
// the rewards of either vary. Least is the nearer to 0 of Z and of
//
//	Σe·d/√(s²·Σd²),  s² = Σe²/(n − 1)
//
// which a side of a few rewards that are all alike does not inflate. The numbers of both
// sides suffice for both: Σe·d = n_on·(ȳ_on − ȳ).
//
// Special cases are:
//
//	one side is empty, or all rewards are alike: 0
//
// Source: answers sheet, section 5 (ii); the second form: own simulation.
func (f *Following) Z() (z, least float64) {
	all := f.On
	all.Merge(f.Off)
	if f.On.N == 0 || f.Off.N == 0 || !(all.M2 > 0) {
		return 0, 0
	}
	n, share := float64(all.N), float64(f.On.N)/float64(all.N)
	product := float64(float64(f.On.N) * (f.On.Mean - all.Mean))
	squares := float64(float64((1-share)*(1-share))*around(&f.On, all.Mean)) + float64(float64(share*share)*around(&f.Off, all.Mean))
	z = product / math.Sqrt(squares)
	pooled := product / math.Sqrt(float64(all.M2/(n-1))*float64(float64(f.On.N)*(1-share)))
	return z, math.Copysign(min(math.Abs(z), math.Abs(pooled)), z)
}

// around is Σ(y − mean)².
func around(s *moments.Scalar, mean float64) float64 {
	d := s.Mean - mean
	return s.M2 + float64(float64(s.N)*float64(d*d))
}

// Bonferroni returns the value that the largest of n standard normal numbers exceeds in
// absolute value with probability level at most: Φ⁻¹(1 − level/2n).
func Bonferroni(level float64, n int) float64 {
	return tail.NormalQuantile(math.Log(level) - math.Ln2 - math.Log(float64(max(1, n))))
}
