package ingest

// hashing counts the digests of the inputs as a walk over all rows, where it
// goes before the others: hashing a large log takes longer than anybody waits
// for a first sign of life. It wraps what the digests call once for every
// digestBytes. They are on one goroutine, and nothing else reports progress
// until they are done.
func (r *run) hashing(stop func() error) func() error {
	size, hashed := int64(0), int64(0)
	for i := range r.log.inputs {
		size += r.log.inputs[i].info.Size()
	}
	const others = 2 // walks that follow at least
	r.walks = 1
	return func() error {
		hashed = min(hashed+digestBytes, size)
		r.done = int64(float64(r.log.rows) * (float64(hashed) / float64(size)))
		if r.options.Progress != nil {
			r.options.Progress(r.done, (r.walks+others)*r.log.rows)
		}
		return stop()
	}
}
