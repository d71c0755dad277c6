package pages

// split reads BYTE_STREAM_SPLIT: first every value's first byte, then every
// value's second, and so on.
type split[T any] struct {
	src   []byte
	width int // bytes per value
	at    int
	value func(bits uint64) T
}

func (s *split[T]) read(dst []T) error {
	n := len(s.src) / s.width
	if len(s.src)%s.width != 0 || len(dst) > n-s.at {
		return errValues
	}
	for i := range dst {
		bits := uint64(0)
		for b := range s.width {
			bits |= uint64(s.src[b*n+s.at+i]) << (8 * b)
		}
		dst[i] = s.value(bits)
	}
	s.at += len(dst)
	return nil
}
