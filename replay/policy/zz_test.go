package policy
import ("testing";"math/rand/v2")
func BenchmarkLinPieces(b *testing.B) {
	l := NewLinUCB(5, LinUCBSpec{1,0.5,1,0.05}, nil, nil)
	l.Size(5)
	s := NewState(5)
	s.Vectors = make([][]float64,5)
	for i := range s.Vectors { s.Vectors[i] = make([]float64,5) }
	s.X = make([]float64,5)
	rng := rand.New(rand.NewPCG(1,1))
	for n := range 500 {
		for j := range s.X { s.X[j] = rng.Float64() }
		i := n%5
		for j := range s.X { s.Vectors[i][j] += s.X[j]*rng.Float64() }
		s.Pulls[i]++
		l.Learn(i, s.X, s.Pulls[i])
		l.Observe(s, i)
	}
	b.Run("select", func(b *testing.B){ for b.Loop() { l.Select(s) } })
	b.Run("learn", func(b *testing.B){ for b.Loop() { s.Pulls[2]++; l.Learn(2, s.X, s.Pulls[2]) } })
	b.Run("observe", func(b *testing.B){ for b.Loop() { l.arms[2].released=true; l.Observe(s, 2) } })
	b.Run("factor", func(b *testing.B){ for b.Loop() { factor(l.arms[2].factor,l.arms[2].known,l.z,1)} })
}
