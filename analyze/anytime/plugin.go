package anytime

// plugin guesses the mean of each arm's rewards from the rounds before,
// (S + ½)/(N + 1), between 0 and 1.
type plugin struct{ n, sum []float64 }

func newPlugin(arms int) plugin {
	return plugin{n: make([]float64, arms), sum: make([]float64, arms)}
}

func (p *plugin) mean(arm int) float64 { return (p.sum[arm] + 0.5) / (p.n[arm] + 1) }

func (p *plugin) add(arm int, y float64) {
	p.n[arm]++
	p.sum[arm] += y
}
