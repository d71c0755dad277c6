package conformance

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"

	"banditaudit/replay/counter"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// mostReleases bounds the releases whose noise is kept, one for each coordinate
// of a vector, whatever the log: their draws, the tests of these and what is tried
// to explain them take about 300 bytes of each, 20 MiB, beside which a run in
// 64 MiB has room for the rest. They are the first of the log: later noise is of
// the same law, and says little more of it.
const mostReleases = 1 << 16

// recovered is the noise in released values: what is logged less the exact sum
// of the same rows, on the lattice of the declared counter.
type recovered struct {
	j        *job
	per      int // values of an arm
	streams  []counter.Recovery
	unit     float64 // steps of the grid in 1; 0: there is none
	releases int64
	more     int64     // values beyond mostReleases
	worst    []float64 // of every stream: what rounding may have moved a value by, so far
	column   *resolution
	offGrid  int64
	seen     hash.Hash // of the logged values
	residues []noise.Residue
	draws    []noise.Draw
	arrived  map[stand]int64 // rows that had arrived, where they are not those of the release
}

// stand is a stream with so many rows in its last release.
type stand struct {
	arm  int
	rows int64
}

// recovery starts one; nil where the declared counter adds no noise.
func (j *job) recovery(per int, column *resolution) *recovered {
	r := &recovered{j: j, per: per, column: column, arrived: make(map[stand]int64), seen: fnv.New128a()}
	if j.Mechanism.Recover() == nil {
		return nil
	}
	r.streams = make([]counter.Recovery, j.Mechanism.Arms()*per) // made when they are first needed
	r.worst = make([]float64, len(r.streams))
	if grid := j.Mechanism.Grid(); grid > 0 {
		r.unit = 1 / grid
	}
	return r
}

// change is an arm whose released value is new.
type change struct {
	arm           int
	rows, arrived int64 // of the release, and of the stream when the policy learned
	released      bool  // else nothing was
	logged, exact []float64
}

// take looks at an arm whose released value is new.
func (r *recovered) take(c *change) {
	for i, v := range c.logged {
		r.seen.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		if steps := float64(v * r.unit); steps != math.Trunc(steps) {
			r.offGrid++
		}
		if c.rows < 1 {
			continue
		}
		if c.released {
			r.releases++
		}
		if len(r.residues) == mostReleases {
			r.more++
			continue
		}
		e := noise.Residue{Arm: c.arm, Coordinate: i, Rows: c.rows, Value: v - c.exact[i], Error: r.column.off(v)}
		r.residues = append(r.residues, e)
		if !c.released {
			continue
		}
		if c.arrived != c.rows {
			r.arrived[stand{c.arm, c.rows}] = c.arrived
		}
		r.draws = r.see(r.draws, r.streams, r.worst, &e)
	}
}

// see appends what a residue adds to what is known of the draws.
// A draw is a residue, or the difference of two: worst is the error of the worst
// of each stream so far.
func (r *recovered) see(dst []noise.Draw, streams []counter.Recovery, worst []float64, e *noise.Residue) []noise.Draw {
	n, ok := r.arrived[stand{e.Arm, e.Rows}]
	if !ok {
		n = e.Rows
	}
	at := e.Arm*r.per + e.Coordinate
	if streams[at] == nil {
		streams[at] = r.j.Mechanism.Recover()
	}
	worst[at] = max(worst[at], e.Error)
	for _, d := range streams[at].See(n, e.Value) {
		dst = append(dst, noise.Draw{
			Arm: e.Arm, Coordinate: e.Coordinate, Row: d.Row, Rows: e.Rows,
			Scale: d.Scale, Count: d.Count, Grid: r.grid(), Value: d.Value, Error: 2 * worst[at],
		})
	}
	return dst
}

// grid is that of the draws: none where a released value is on no lattice.
func (r *recovered) grid() float64 {
	if r.unit == 0 || r.offGrid > 0 && !r.column.rounds() {
		return 0
	}
	return 1 / r.unit
}

// onLattice marks the draws that lie on the declared lattice where some released
// values do not, unless those are more than half: then values were rounded, and
// those on the lattice would be equal by that. Where the column is known to be
// rounded all are taken to lie there, but for their Error.
func (r *recovered) onLattice() {
	if r.unit == 0 || r.grid() > 0 {
		return
	}
	var on []int
	for i := range r.draws {
		if steps := float64(r.draws[i].Value * r.unit); steps == math.Trunc(steps) {
			on = append(on, i)
		}
	}
	if 2*len(on) <= len(r.draws) {
		return
	}
	for _, i := range on {
		r.draws[i].Lattice = 1 / r.unit
	}
}

// fit holds the noise against the declared law; redrawn says that values changed
// although nothing was released and nothing had arrived.
func (r *recovered) fit(redrawn bool) *schemas.NoiseFit {
	for i := range r.draws {
		r.draws[i].Grid = r.grid()
	}
	r.onLattice()
	in := noise.Input{
		Stopped: r.j.Protocol.Experiment.Stopping != schemas.StoppingFixed,
		Salt:    r.j.s.ID() + "\x00" + string(r.seen.Sum(nil)),
		Draws:   r.draws, Residues: r.residues, More: r.more, Grid: r.grid(), Delta: 1, Labels: r.j.Arms,
		Forgets: r.j.Mechanism.Forgets(), Redrawn: redrawn,
		Recover: func(residues []noise.Residue) []noise.Draw {
			var out []noise.Draw
			streams, worst := make([]counter.Recovery, len(r.streams)), make([]float64, len(r.streams))
			for i := range residues {
				out = r.see(out, streams, worst, &residues[i])
			}
			return out
		},
		Law: func(n int64) []noise.Component {
			var out []noise.Component
			for _, v := range r.j.Mechanism.Noise(n) {
				out = append(out, noise.Component{Scale: v.Scale, Count: v.Count})
			}
			return out
		},
	}
	if r.j.Mechanism.Linear() {
		in.Delta = nearest(r.j.Protocol.Policy.Own.Exact(param.ContextBound).Rat())
	}
	if !math.IsInf(r.j.realized, 1) {
		in.Epsilon = r.j.realized
	}
	if r.column.rounds() {
		r.offGrid = 0 // says nothing but that they are rounded
	}
	found := noise.Fit(in)
	return r.said(&found)
}
