// Package owner bounds what somebody loses who owns several rounds of one run: from
// above over every sequence of actions, and from below by a sequence that is shown.
//
// U are her rounds, who owns which round is public, and every reward of U may change. For
// additive Laplace noise on nodes v of scale b_v she loses on the actions a
//
//	c_U(a) = Σ_v |{t ∈ U : t enters v}|/b_v = Σ_{t∈U} c_t(a),
//
// the sum of the costs of her rows. Released values attain it where all released means
// can fall alike and no choice changes (move every noise of a node down by a constant
// times its rows), or where any arm can be drawn whatever was released. What she loses is
// then the supremum over the sequences that the policy can take (own derivation,
// internally reviewed).
//
// [Law.AtMost] is the least of four bounds on it, and [Law.AtLeast] the value of a
// sequence. Values are whole multiples of one unit, so that a comparison with a claim is
// exact. [Law.Rho] bounds ρ of zero-concentrated differential privacy.
//
// Numbers in, numbers out: it knows no log.
package owner
