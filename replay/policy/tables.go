package policy

import "banditaudit/replay/policy/argmaxprob"

// MostTabled is how many arms the Tables that the states of one run share have together. Those
// of an arm take some 2 kB.
const MostTabled = 1 << 11

// Tables are what propensities that are integrals are computed with: what arms are at the
// points of a quadrature, kept because most arms stand still from round to round. What comes out
// does not depend on it, so that the states of one run, one at a time, may share Tables.
type Tables struct {
	beta   *argmaxprob.Beta
	normal *argmaxprob.Gaussian
}

// Tabled is a policy that computes with Tables: its own, until it is told of others.
type Tabled interface {
	Policy
	// Share has the policy compute with Tables of policies with the same declaration.
	Share(with *Tables)
}

// tabled is what makes a policy Tabled.
type tabled struct{ tables *Tables }

// Share has the policy compute with other Tables.
func (t *tabled) Share(with *Tables) { t.tables = with }

func (t *tabled) own() *Tables {
	if t.tables == nil {
		t.tables = &Tables{}
	}
	return t.tables
}

// betas returns what computes the probabilities of k arms, or of being among the largest two.
func (t *tabled) betas(k int, two bool) *argmaxprob.Beta {
	own := t.own()
	if own.beta == nil {
		own.beta = argmaxprob.NewBeta(k)
		own.beta.Two = two
	}
	return own.beta
}

// normals is betas for normal laws.
func (t *tabled) normals(k int, two bool) *argmaxprob.Gaussian {
	own := t.own()
	if own.normal == nil {
		own.normal = argmaxprob.NewGaussian(k)
		own.normal.Two = two
	}
	return own.normal
}
