package hypothesis

// BenjaminiYekutieli adjusts a family of m p-values for the false discovery
// rate under every dependence (2001, doi 10.1214/aos/1013699998): with
// p_(1) ≤ … ≤ p_(m),
//
//	adjusted_(i) = min_{j≥i} min(1, m·(1 + ½ + … + 1/m)·p_(j)/j)
//
// given and returned as natural logs, in the original order. m counts every
// member, also those without a p-value. Special cases are:
//
//	an empty family gives an empty result
//	NaN stays NaN, and takes part as p = 1
func BenjaminiYekutieli(logP []float64) []float64 {
	m := len(logP)
	harmonic := 0.0
	for j := m; j >= 1; j-- {
		harmonic += 1 / float64(j)
	}
	return stepUp(logP, float64(m)*harmonic)
}
