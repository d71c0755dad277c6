package world

import "banditaudit/replay"

// showing makes what the policy of a faulty deployment sees of what it would
// see without noise. With the noise N that the deployment draws for a sum S of n
// rows it is
//
//	no-noise            S
//	noise-on-mean       S + n·N   N was meant for S, and is added to S/n
//	noise-over-n-twice  S + N/n   N is divided by n, added to S, and both by n
//	else                S + N
//
// Where nothing has been released there is nothing to see, and no noise.
type showing struct {
	faults faulty
	noises *replay.Noises
	last   []freshNoise // by arm; nil but for fresh-prefixes
	err    error        // the first: the run is then over
}

func (s *Spec) newShowing(id string) (*showing, error) {
	d := 0
	if s.linear() {
		d = s.dim()
	}
	spec := replay.NoiseSpec{Catalogue: s.catalogue(), Protocol: s.Protocol, Scale: s.noiseScale(), Arms: s.law().Arms(), Dim: d}
	if faulty(s.Faults).has(WrongArmStream) {
		spec.Rotate = 1
	}
	noises, err := spec.Open(s.Master, id)
	if err != nil {
		return nil, err
	}
	w := &showing{faults: s.Faults, noises: noises}
	if w.faults.has(FreshPrefixes) {
		w.last = make([]freshNoise, spec.Arms)
	}
	return w, nil
}

// show adds noise to exact, the sums of all arms or their vectors, at whose
// streams arrived rows have arrived. It is called once in every round.
func (w *showing) show(exact []float64, arrived []int64) []float64 {
	if w.faults.has(NoNoise) {
		return exact
	}
	per := len(exact) / len(arrived)
	for arm, n := range arrived {
		noise, rows, err := w.noise(arm, n)
		if err != nil {
			w.err = err
			return exact
		}
		if rows == 0 {
			continue
		}
		for j := range per {
			v := noise[j]
			switch {
			case w.faults.has(NoiseOnMean):
				v = float64(v * float64(rows)) // not fused into the sum
			case w.faults.has(NoiseOverNTwice):
				v /= float64(rows)
			}
			exact[arm*per+j] += v
		}
	}
	return exact
}

// noise returns the noise of an arm's release in this round, and its rows.
func (w *showing) noise(arm int, arrived int64) (noise []float64, rows int64, err error) {
	noise, rows, err = w.noises.After(arm, arrived)
	if err != nil || rows == 0 {
		return nil, 0, err
	}
	switch {
	case w.faults.has(Redraw):
		noise, err = w.noises.Anew(arm, rows)
	case w.last != nil:
		noise, err = w.last[arm].of(w.noises, arm, rows)
	}
	return noise, rows, err
}
