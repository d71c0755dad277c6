package pages

import "slices"

// deltaLengths reads DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes.
type deltaLengths struct {
	lengths delta
	src     []byte
}

func newDeltaLengths(data []byte) (source[[]byte], error) {
	lengths, err := newDelta(data)
	if err != nil {
		return nil, err
	}
	src, err := lengths.after()
	if err != nil {
		return nil, err
	}
	return &deltaLengths{lengths, src}, nil
}

func (s *deltaLengths) read(dst [][]byte) error {
	for i := range dst {
		v, err := s.next()
		if err != nil {
			return err
		}
		dst[i] = v
	}
	return nil
}

func (s *deltaLengths) next() ([]byte, error) {
	n, err := s.lengths.next()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > int64(len(s.src)) {
		return nil, damaged("a text of %d bytes where %d are left", n, len(s.src))
	}
	v := s.src[:n:n]
	s.src = s.src[n:]
	return v, nil
}

// deltaTexts reads DELTA_BYTE_ARRAY: each text is a prefix of the one before
// and a suffix. Texts may be many times as long as the page; whoever reads them
// one by one gets each in the same memory.
type deltaTexts struct {
	prefixes delta
	suffixes source[[]byte]
	last     []byte
	one      [1][]byte
}

// maxDeltaText bounds one text: prefixes make long texts from few bytes.
const maxDeltaText = 1 << 20

func newDeltaTexts(data []byte) (source[[]byte], error) {
	prefixes, err := newDelta(data)
	if err != nil {
		return nil, err
	}
	src, err := prefixes.after()
	if err != nil {
		return nil, err
	}
	suffixes, err := newDeltaLengths(src)
	if err != nil {
		return nil, err
	}
	return &deltaTexts{prefixes: prefixes, suffixes: suffixes}, nil
}

func (s *deltaTexts) read(dst [][]byte) error {
	for i := range dst {
		n, err := s.prefixes.next()
		if err != nil {
			return err
		}
		if err := s.suffixes.read(s.one[:]); err != nil {
			return err
		}
		if n < 0 || n > int64(len(s.last)) || int(n)+len(s.one[0]) > maxDeltaText {
			return damaged("a prefix of %d bytes of a text of %d", n, len(s.last))
		}
		if len(dst) > 1 {
			s.last = slices.Clone(s.last[:n])
		}
		s.last = append(s.last[:n], s.one[0]...)
		dst[i] = s.last
	}
	return nil
}
