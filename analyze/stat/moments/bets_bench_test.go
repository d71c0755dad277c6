package moments

import "testing"

// What fixed bets cost for each reward, in ns/row.
func BenchmarkBets(b *testing.B) {
	arm, _, y := benchChunk(10, 0)
	bet, dst := NewBetting(0, 1), make([]Bets, 10)
	b.ReportAllocs()
	for b.Loop() {
		if err := bet.AddByArm(dst, arm, y); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b, len(y))
}
