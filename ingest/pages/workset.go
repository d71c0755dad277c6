package pages

import "sync"

// workset is what reading a column chunk needs in memory, and the next chunk of
// the column can use again.
type workset struct {
	body     buffer
	levels   [2]buffer // that do not lie in one piece
	dictBody buffer    // of the bytes of dictionary pages
	pieces   []piece
	codecs   inflater
}

// workset returns what the last cursor of the column has left, or a new one.
func (f *File) workset(c *Column) *workset {
	if w := f.spares.take(c.index); w != nil {
		return w
	}
	own := buffer{budget: f.budget}
	return &workset{body: own, levels: [2]buffer{own, own}, dictBody: own, codecs: inflater{zstd: &f.zstd}}
}

func (w *workset) free() {
	w.body.free()
	w.levels[0].free()
	w.levels[1].free()
	w.dictBody.free()
}

// spares keeps one workset for each column. Its buffers stay booked, so that
// the row groups of a file take no more together than their largest pages; they
// are not made, and cleared, for every row group.
type spares struct {
	mu       sync.Mutex
	byColumn map[int]*workset
	closed   bool
}

func (s *spares) take(column int) *workset {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.byColumn[column]
	delete(s.byColumn, column)
	return w
}

func (s *spares) put(column int, w *workset) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.byColumn[column] != nil {
		w.free()
		return
	}
	if s.byColumn == nil {
		s.byColumn = map[int]*workset{}
	}
	s.byColumn[column] = w
}

// close frees what is kept, and what is still to be put.
func (s *spares) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.byColumn {
		w.free()
	}
	s.byColumn, s.closed = nil, true
}
