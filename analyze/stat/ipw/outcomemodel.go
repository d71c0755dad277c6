package ipw

// Plugin guesses each arm's mean from the rounds before, m̂ = (S + ½)/(N + 1), rewards
// in [0,1]. Where a log is read in parts, it starts with what came before the part.
type Plugin struct{ n, sum []float64 }

// NewPlugin returns the guesses before the first round.
func NewPlugin(arms int) Plugin {
	return Plugin{n: make([]float64, arms), sum: make([]float64, arms)}
}

// Mean is the guess of an arm, from rounds that were added.
func (p *Plugin) Mean(arm int) float64 { return (p.sum[arm] + 0.5) / (p.n[arm] + 1) }

// Add joins a reward of an arm.
func (p *Plugin) Add(arm int, y float64) {
	p.n[arm]++
	p.sum[arm] += y
}

// Rounds is how many rewards were added.
func (p *Plugin) Rounds() int64 {
	n := 0.0
	for _, of := range p.n {
		n += of
	}
	return int64(n)
}

// Merge joins what another part of the log held; o stays as it is.
func (p *Plugin) Merge(o *Plugin) {
	for i := range p.n {
		p.n[i] += o.n[i]
		p.sum[i] += o.sum[i]
	}
}

// Clone is a copy that grows on its own.
func (p *Plugin) Clone() Plugin {
	out := NewPlugin(len(p.n))
	out.Merge(p)
	return out
}
