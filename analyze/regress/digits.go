package regress

const (
	// lostShare is the relative error of what follows from cross-products from
	// which a refit is worth its pass.
	lostShare = 1e-11
	// lostRest is the same for the residual sum of squares.
	lostRest = 1e-9
)

// LosesDigits reports whether cross-products in float64 may have cost the fit
// digits that a [Refit] keeps: an error of the order of
//
//	ε·Σ_j VIF_j > 10⁻¹¹ in the coefficients, ε/(1−R²) > 10⁻⁹ in the residual sum of squares,
//
// VIF the variance inflation factors; or a column was dropped for what may be
// rounding errors only, or the fit is perfect up to them. It is false for a
// model that was refitted.
func (m *Model) LosesDigits() bool {
	d := m.design
	if m.refit || m.Rank == 0 {
		return false
	}
	rest := d.yScale > 0 && m.DFResidual > 0 && float64(lostRest*d.share) < epsilon
	return d.near || rest || float64(epsilon*d.inflation) > lostShare
}
