package policy

import (
	"math"
	"slices"

	"banditaudit/schemas/param"
)

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

	known   []float64 // V of the rows in the released vector
	pending []float64 // Σ xx' of the rows that came since
	waiting int64     // their number
	total   int64     // rows that have been learned
	rows    int64     // rows in the released vector
	seen    int64     // rows of factor
	from    []float64 // S as θ̃ was made of it
}

// size makes room for contexts of length d.
func (r *ridge) size(d int) {
	r.d, r.z = d, make([]float64, d)
	n := packed(d)
	for i := range r.arms {
		room := make([]float64, 3*n+2*d)
		a := &r.arms[i]
		a.factor, a.known, a.pending, a.theta = room[:n:n], room[n:2*n:2*n], room[2*n:3*n:3*n], room[3*n:3*n+d:3*n+d]
		a.from = room[3*n+d:]
		for j := range d {
			a.factor[packed(j)+j] = 1 / r.lambda
			a.known[packed(j)+j] = r.lambda
		}
	}
}

// context returns x of an arm: the context of the round, or the arm's own.
func (r *ridge) context(s *State, arm int) []float64 {
	if s.XByArm == nil {
		return s.X
	}
	return s.XByArm[arm*r.d : (arm+1)*r.d]
}

// learn adds a row of arm, after which the vector that was released last has
// rows rows. A release changes that number. A vector has all rows up to its
// release, or, where the counter forgets, those since the release before.
func (r *ridge) learn(arm int, x []float64, rows int64) {
	a := &r.arms[arm]
	a.total++
	released, all := rows != a.rows, rows == a.total
	a.rows = rows
	switch {
	case released && all && a.waiting == 0:
		addSquare(a.known, x)
	case released:
		addSquare(a.pending, x)
		a.release(all, r.lambda)
	default:
		addSquare(a.pending, x)
		a.waiting++
	}
}

// release makes V of the rows that were pending, beside all earlier ones or
// instead of them.
func (a *ridgeArm) release(all bool, lambda float64) {
	if !all {
		clear(a.known)
		for at, j := 0, 1; at < len(a.known); at, j = at+j+1, j+1 {
			a.known[at] = lambda
		}
	}
	for i, v := range a.pending {
		a.known[i] += v
	}
	clear(a.pending)
	a.waiting = 0
}

// observe computes L, θ̃ and det V from the vector that arm has released, and
// reports whether V is a new one. A vector of the same rows with other values,
// as a log can have where noise was drawn anew, makes a new θ̃ alone.
func (r *ridge) observe(s *State, arm int) bool {
	a, sums := &r.arms[arm], s.Vectors[arm]
	again := s.Pulls[arm] != a.seen
	if !again && slices.Equal(a.from, sums) {
		return false
	}
	if again {
		a.seen = s.Pulls[arm]
		a.growth = factor(a.factor, a.known, r.z, r.lambda)
	}
	copy(a.from, sums)
	forward(a.factor, sums, r.z)
	back(a.factor, r.z, a.theta)
	return again
}

// predict returns ⟨θ̃,x⟩ and ‖x‖²_{V⁻¹} of an arm, and leaves L⁻¹x in r.z. Where
// contexts are so badly scaled that the two numbers overflow, it returns the numbers of an
// arm without rows.
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

// extreme bounds parameters of linear policies from above and, inverted, from
// below, so that their products stay finite.
const extreme = 1e60

// ridgeKeys returns the keys of these names, of those that a policy with a ridge
// regression of each arm can have; it needs all of them.
func ridgeKeys(names ...string) []param.Key {
	all := []param.Key{
		{Name: "lambda", Doc: "ridge: the matrix of an arm starts from so much times the identity", Why: "starts from the matrix λI", Mend: "add lambda: 1"},
		{
			Name: "theta_bound", Doc: "length that the coefficients of an arm do not exceed",
			Why: "has a width that grows with the length of the coefficients", Mend: "add theta_bound: NUMBER, which ‖θ‖₂ does not exceed for rewards rescaled to [0,1]",
		},
		{
			Name: "noise_sd", Doc: "standard deviation of a reward about its mean",
			Why: "takes the standard deviation of a reward about its mean as declared", Mend: "add noise_sd: 0.5, which covers rewards rescaled to [0,1]",
		},
	}
	out := make([]param.Key, len(names))
	for i, name := range names {
		out[i] = *param.Find(all, name)
		out[i].Needed, out[i].Form = true, param.Rescaled(1/extreme, extreme)
	}
	return out
}

// contextKey is the key of the bound on ‖context‖₁ that noise is scaled for.
func contextKey() param.Key {
	return param.Key{Name: param.ContextBound, Doc: "ℓ1 length that a context does not exceed, known before the experiment", Form: param.Exact{Most: param.MaxNorm}}
}

// startRidge declares λ = 1 and a noise that covers rewards in [0,1], and the
// bounds that the world has.
func startRidge(s Scene) map[string]string {
	return map[string]string{"lambda": "1", "noise_sd": "0.5", "theta_bound": s.ThetaBound, param.ContextBound: s.ContextL1}
}
