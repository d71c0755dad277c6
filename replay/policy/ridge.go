package policy

import "math"

// ridge is what linear policies know: for every arm i a ridge regression of its
// rewards on its contexts,
//
//	V_i = λI + Σ xx',   θ̃_i = V_i⁻¹·S_i
//
// where S_i = Σ x·y is the vector that the counter has released for the arm,
// noise included, and V_i is taken over the same rows. V_i is made of contexts
// and actions alone, which are public. It is factored anew whenever S_i is
// seen, so that the result depends on the rows and not on when they were
// looked at. An arm without rows has θ̃_i = 0 and V_i = λI.
type ridge struct {
	lambda float64
	d      int
	arms   []ridgeArm
	z      []float64 // d numbers of scratch
}

// ridgeArm is the regression of one arm.
type ridgeArm struct {
	factor []float64 // packed factor of V as the policy sees it (see cholesky.go)
	theta  []float64 // θ̃
	growth float64   // ln(det V/λ^d)

	known    []float64 // V of the rows in the released vector
	learned  []float64 // V of all rows whose reward is known
	rows     int64     // their number
	released bool      // known has changed since factor was made
}

// size makes room for contexts of length d.
func (r *ridge) size(d int) {
	r.d, r.z = d, make([]float64, d)
	n := packed(d)
	for i := range r.arms {
		room := make([]float64, 3*n+d)
		a := &r.arms[i]
		a.factor, a.known, a.learned, a.theta = room[:n:n], room[n:2*n:2*n], room[2*n:3*n:3*n], room[3*n:]
		for j := range d {
			a.factor[packed(j)+j] = 1 / r.lambda
			a.known[packed(j)+j] = r.lambda
			a.learned[packed(j)+j] = r.lambda
		}
	}
}

// context returns x of an arm: that of the round, or the arm's own.
func (r *ridge) context(s *State, arm int) []float64 {
	if s.XByArm == nil {
		return s.X
	}
	return s.XByArm[arm*r.d : (arm+1)*r.d]
}

// learn adds a row of arm, after which the vector that was released last has
// rows rows: all of them, or those of an earlier release.
func (r *ridge) learn(arm int, phi []float64, rows int64) {
	a := &r.arms[arm]
	a.rows++
	addSquare(a.learned, phi)
	if rows == a.rows {
		copy(a.known, a.learned)
		a.released = true
	}
}

// observe computes L, θ̃ and det V from the vector that arm has released, and
// reports whether there was a new one.
func (r *ridge) observe(s *State, arm int) bool {
	a := &r.arms[arm]
	if !a.released {
		return false
	}
	a.released = false
	a.growth = factor(a.factor, a.known, r.z, r.lambda)
	forward(a.factor, s.Vectors[arm], r.z)
	back(a.factor, r.z, a.theta)
	return true
}

// predict returns ⟨θ̃,x⟩ and ‖x‖²_{V⁻¹} of an arm, and leaves L⁻¹x in r.z. Where contexts are so badly scaled that they overflow, they are those of
// an arm without rows.
func (r *ridge) predict(arm int, x []float64) (mean, norm float64) {
	a := &r.arms[arm]
	for j, v := range a.theta {
		mean += float64(v * x[j])
	}
	forward(a.factor, x, r.z)
	norm = length(a.factor, r.z)
	if mean-mean != 0 || norm-norm != 0 {
		mean, norm = 0, 0
		for j, v := range x {
			r.z[j] = v / math.Sqrt(float64(r.lambda*inverse(a.factor, j))) // so that D^−½·z is x/√λ
			norm += float64(v * v)
		}
		norm /= r.lambda
	}
	return mean, norm
}
