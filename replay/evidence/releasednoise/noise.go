// Package releasednoise recovers the noise in the released values of a log, and holds it
// against the law of the declared counter.
package releasednoise

import (
	"cmp"
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"slices"

	"banditaudit/replay"
	"banditaudit/replay/counter"
	"banditaudit/replay/evidence/rounding"
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

// Log is what is known of the log.
type Log struct {
	Protocol   *schemas.Protocol
	Mechanism  *replay.Mechanism
	Experiment string   // its name
	Arms       []string // labels in index order
	Rows       int64
	Jobs       int // workers
	Label      func(arm int) string
}

// Noise is the noise in released values: what is logged less the exact sum
// of the same rows, on the lattice of the declared counter.
type Noise struct {
	log      *Log
	per      int                // values of an arm
	streams  map[int64][]stream // of each stratum, of all arms
	unit     float64            // steps of the grid in 1; 0: there is none
	drawnOn  int64              // q of the coarser lattice 1/q that all values lie on; 0: none
	step     string             // of that lattice, or 1 where whole numbers may be one; "" otherwise
	declared bool               // the grid is not the default one: values off it contradict it
	releases int64
	more     int64 // values beyond mostReleases
	column   *rounding.Resolution
	offGrid  int64
	firstOff *schemas.ReleasedValue
	apart    int64     // residues off the lattice of drawnOn
	seen     hash.Hash // of the logged values
	word     []byte    // one of them
	residues []noise.Residue
	draws    []noise.Draw
	arrived  map[stand]int64 // rows that had arrived, where the release had other rows
}

// stream is what is known of the noise of a stream.
type stream struct {
	recovery counter.Recovery // made when it is first needed
	worst    float64          // what rounding may have moved a value by, so far
	arrived  int64            // rows that had arrived at the last release
	before   earlier
}

// stand is an arm, in a stratum, with the number of rows in its last release.
type stand struct {
	stratum int64
	arm     int
	rows    int64
}

// earlier holds the last release of a stream, as its exact sum and number of rows, and the
// sum and the number of all rows released so far.
type earlier struct {
	exact, sum float64
	rows, all  int64
}

// New begins with the noise of a log of per values of an arm; nil where the declared counter
// adds none.
func New(log *Log, per int, column *rounding.Resolution) *Noise {
	m := log.Mechanism
	if m.Recover() == nil {
		return nil
	}
	r := &Noise{log: log, per: per, column: column, arrived: make(map[stand]int64), seen: fnv.New128a()}
	room := min(mostReleases, log.Rows*int64(per))
	r.residues, r.draws = make([]noise.Residue, 0, room), make([]noise.Draw, 0, room)
	r.streams = map[int64][]stream{}
	if grid := m.Grid(); grid > 0 {
		r.unit, r.declared = 1/grid, log.Protocol.Counter.OwnGrid()
	}
	if r.drawnOn = column.DrawnOn(); r.drawnOn > 0 {
		r.unit, r.step = float64(r.drawnOn), rounding.StepWords(r.drawnOn)
	} else if column.Whole() {
		r.step = rounding.StepWords(1)
	}
	return r
}

// offLattice notes a logged value that is no multiple of the grid. Values off the default
// grid are values of another lattice, or of none, and are only counted. Off a declared
// grid are values that rounding of the log does not explain.
func (r *Noise) offLattice(c *Change, v float64) {
	steps := float64(v * r.unit)
	allowed := 0.0
	if r.declared {
		allowed = float64(r.unit * (r.column.Written(v) + float64(rounding.SameSum*max(1, math.Abs(v)))))
	}
	if r.drawnOn > 0 || math.Abs(steps-math.RoundToEven(steps)) <= allowed {
		return
	}
	r.offGrid++
	if r.firstOff == nil {
		r.firstOff = &schemas.ReleasedValue{Round: c.Round, Arm: r.log.Label(c.Arm), Logged: v}
	}
}

// of returns a stream from the streams of all strata.
func (r *Noise) of(all map[int64][]stream, of *noise.Stream) *stream {
	own := all[of.Stratum]
	if own == nil {
		own = make([]stream, r.log.Mechanism.Arms()*r.per)
		all[of.Stratum] = own
	}
	return &own[of.Arm*r.per+of.Coordinate]
}

// Change is an arm whose released value is new.
type Change struct {
	Round         int64
	Stratum       int64
	Arm           int
	Rows, Arrived int64     // of the release, and of the stream when the policy learned
	Released      bool      // else nothing was
	Logged, Exact []float64 // Exact: nil where there is no room for the noise
}

// Room reports whether the noise of another release is kept.
func (r *Noise) Room() bool { return len(r.residues) < mostReleases }

// Take looks at an arm whose released value is new.
func (r *Noise) Take(c *Change) {
	for i, v := range c.Logged {
		r.word = binary.LittleEndian.AppendUint64(r.word[:0], math.Float64bits(v))
		r.seen.Write(r.word)
		r.offLattice(c, v)
		if c.Rows < 1 {
			continue
		}
		if c.Released {
			r.releases++
		}
		if !r.Room() {
			r.more++
			continue
		}
		e := noise.Residue{Stream: noise.Stream{Stratum: c.Stratum, Arm: c.Arm, Coordinate: i}, Rows: c.Rows, Value: v - c.Exact[i], Error: r.column.Off(v)}
		if c.Released {
			e.Above = r.above(c, &e)
		}
		r.residues = append(r.residues, e)
		if steps := float64(e.Value * r.unit); r.drawnOn > 0 && math.Abs(steps-math.RoundToEven(steps)) > float64(rounding.SameSum*max(1, math.Abs(steps))) {
			r.apart++
		}
		if !c.Released {
			continue
		}
		if c.Arrived != c.Rows {
			r.arrived[stand{c.Stratum, c.Arm, c.Rows}] = c.Arrived
		}
		r.draws = r.see(r.draws, r.streams, &e)
	}
}

// above returns where the rows that are new in a release lie, at a coordinate: 1
// if their mean is above the mean of all rows before, −1 below it, and 0 where it is
// neither or there were none. It notes the release.
func (r *Noise) above(c *Change, e *noise.Residue) int {
	b, exact := &r.of(r.streams, &e.Stream).before, c.Exact[e.Coordinate]
	sum, rows := exact, c.Rows
	if !r.log.Mechanism.Forgets() {
		sum, rows = sum-b.exact, rows-b.rows
	}
	before, all := b.sum, b.all
	b.exact, b.rows = exact, c.Rows
	b.sum, b.all = before+sum, all+rows
	if rows < 1 || all < 1 {
		return 0
	}
	return cmp.Compare(float64(sum*float64(all)), float64(before*float64(rows)))
}

// see appends what a residue adds to what is known of the draws.
// A draw is a residue, or the difference of two, so that its error is twice the error of
// the worst residue of its stream so far. One variable that was drawn since the release
// before is in none before: whatever the policy has done, it is independent of the rewards
// of this release.
func (r *Noise) see(dst []noise.Draw, streams map[int64][]stream, e *noise.Residue) []noise.Draw {
	n, ok := r.arrived[stand{e.Stratum, e.Arm, e.Rows}]
	if !ok {
		n = e.Rows
	}
	s := r.of(streams, &e.Stream)
	if s.recovery == nil {
		s.recovery = r.log.Mechanism.Recover()
	}
	s.worst = max(s.worst, e.Error)
	for _, d := range s.recovery.See(n, e.Value) {
		draw := noise.Draw{
			Stream: e.Stream, Row: d.Row, Rows: e.Rows,
			Scale: d.Scale, Count: d.Count, Grid: r.grid(), Value: d.Value, Error: 2 * s.worst,
		}
		if d.Count == 1 && d.Row > s.arrived {
			draw.Above = e.Above
		}
		dst = append(dst, draw)
	}
	s.arrived = n
	return dst
}

// grid returns the step of the lattice of the draws; 0 where a released value is on no lattice.
func (r *Noise) grid() float64 {
	if r.unit == 0 || r.apart > 0 || r.offGrid > 0 && !r.column.Rounds() {
		return 0
	}
	return 1 / r.unit
}

// onLattice marks the draws that lie on the declared lattice where some released
// values do not, unless those are more than half: then values were rounded, and
// those on the lattice would be equal by that. Where the column is known to be
// rounded all are taken to lie there, but for their Error.
func (r *Noise) onLattice() {
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

// Fit holds the noise against the declared law; redrawn says that values changed
// although nothing was released and nothing had arrived, and realized is what the counter
// cost on the log, +Inf where that is not bounded.
func (r *Noise) Fit(redrawn bool, realized float64) *schemas.NoiseFit {
	for i := range r.draws {
		r.draws[i].Grid = r.grid()
	}
	r.onLattice()
	log := r.log
	in := noise.Input{
		Stopped: log.Protocol.Experiment.Stopping != schemas.StoppingFixed,
		Salt:    log.Experiment + "\x00" + string(r.seen.Sum(nil)),
		Draws:   r.draws, Residues: r.residues, More: r.more, Grid: r.grid(), Delta: 1, Labels: log.Arms,
		Forgets: log.Mechanism.Forgets(), Redrawn: redrawn, Jobs: log.Jobs,
		Recover: func(residues []noise.Residue) []noise.Draw {
			var out []noise.Draw
			streams := map[int64][]stream{}
			for i := range residues {
				out = r.see(out, streams, &residues[i])
			}
			return out
		},
		Law: func(n int64) []noise.Component {
			var out []noise.Component
			for _, v := range log.Mechanism.Noise(n) {
				out = append(out, noise.Component{Scale: v.Scale, Count: v.Count})
			}
			return out
		},
	}
	if log.Mechanism.Linear() {
		policy := log.Protocol.Policy
		in.Delta, _ = policy.Own.Exact(param.ContextBound).Rat().Float64()
	}
	if !math.IsInf(realized, 1) {
		in.Epsilon = realized
	}
	if r.column.Rounds() && !r.declared {
		r.offGrid, r.firstOff = 0, nil // says nothing but that they are rounded
	}
	found := noise.Fit(in)
	return r.said(&found)
}

// Prints returns the prints of the draws so far, of the first streams.
func (r *Noise) Prints(experiments int) []noise.Print {
	arms := int64(r.log.Mechanism.Arms())
	draws := slices.DeleteFunc(slices.Clone(r.draws), func(d noise.Draw) bool {
		return (d.Stratum*arms+int64(d.Arm))*int64(r.per)+int64(d.Coordinate) >= noise.AcrossStreams
	})
	for i := range draws {
		draws[i].Grid = r.grid()
	}
	return noise.Prints(draws, experiments)
}

// Draws returns the draws so far, which are only read.
func (r *Noise) Draws() []noise.Draw { return r.draws }
