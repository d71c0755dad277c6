package policy

import "banditaudit/schemas/param"

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
