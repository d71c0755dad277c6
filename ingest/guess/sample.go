package guess

import (
	"context"
	"os"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/pages"
)

// Bounds of a sample.
const (
	sampleRows    = 1 << 15 // in all
	sampleGroups  = 64      // row groups that are looked into
	sampleColumns = 256     // columns whose values are looked at
	sampleWidth   = 64      // values of a list
	maxTypes      = 8       // types of one column that are named
)

// sample is a bounded look into a log: the footers of all files, and rows of
// row groups that are spread evenly over it.
type sample struct {
	only       string // the column that is looked at; "": all
	budget     *pages.Budget
	faults     *fault.List
	files      int
	rows       int64 // as the footers claim
	taken      int   // rows that were looked at
	places     []sampled
	partitions files.PartitionKeys
	columns    []*profile
	index      map[string]*profile
}

// sampled is a row group.
type sampled struct {
	source files.Source
	group  int
	rows   int64
}

// takeSample looks at a log, at all columns or at the one that is named. Faults are in
// s.faults.
func takeSample(ctx context.Context, only string, src []files.Source, limit int64) (*sample, error) {
	s := &sample{only: only, budget: pages.NewBudget(limit), faults: &fault.List{}, partitions: files.PartitionKeys{}, index: map[string]*profile{}}
	for _, f := range src {
		s.partitions.Add(f.Partitions)
	}
	for i := range src {
		if err := fault.Stopped(ctx); err != nil {
			return nil, err
		}
		if err := s.footer(&src[i]); err != nil {
			return nil, err
		}
	}
	for _, at := range s.chosen() {
		if err := fault.Stopped(ctx); err != nil {
			return nil, err
		}
		if err := s.within(&at.source, func(f *pages.File) error { return s.group(f, &at) }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// complete reports whether every row was looked at.
func (s *sample) complete() bool { return int64(s.taken) == s.rows }

// within opens a file for visit. What is wrong with it is a fault.
func (s *sample) within(src *files.Source, visit func(*pages.File) error) error {
	info, err := os.Stat(src.Path)
	if err != nil || !info.Mode().IsRegular() {
		s.faults.File(fault.OfFile(src.URI, fault.RuleNoInput, "cannot be read as a file", "check the path and its permissions", err))
		return nil
	}
	file, err := os.Open(src.Path)
	if err != nil {
		s.faults.File(fault.OfFile(src.URI, fault.RuleNoInput, "cannot be opened", "check its permissions", err))
		return nil
	}
	defer file.Close()
	parquet, err := pages.Open(file, info.Size(), s.budget)
	if err != nil {
		return s.faults.Page(src.URI, err)
	}
	defer parquet.Close()
	if err := visit(parquet); err != nil {
		return s.faults.Page(src.URI, err)
	}
	return nil
}

// footer notes a file's columns and row groups.
func (s *sample) footer(src *files.Source) error {
	return s.within(src, func(f *pages.File) error {
		s.files++
		s.rows += f.Rows()
		for g := range f.Groups() {
			if n := f.GroupRows(g); n > 0 {
				s.place(sampled{*src, g, n})
			}
		}
		own := map[string]bool{}
		for _, c := range f.Columns() {
			name := f.Name(c)
			own[name] = true
			s.note(name, c, src.URI)
		}
		for _, p := range src.Partitions {
			if !own[p.Key] {
				s.note(p.Key, s.partitions[p.Key].Column(p.Key), src.URI)
				s.index[p.Key].partition = true
			}
		}
		return nil
	})
}

// maxPlaces of row groups are remembered; beyond them, every second is dropped.
const maxSampled = 1 << 12

func (s *sample) place(at sampled) {
	s.places = append(s.places, at)
	if len(s.places) == maxSampled {
		kept := s.places[:0]
		for i := 0; i < maxSampled; i += 2 {
			kept = append(kept, s.places[i])
		}
		s.places = kept
	}
}

// note notes that a file has a column.
func (s *sample) note(name string, c *pages.Column, uri string) {
	p := s.index[name]
	if p == nil {
		p = newProfile(name, c)
		s.index[name] = p
		s.columns = append(s.columns, p)
	}
	p.files++
	p.sort(c, uri)
	if !slices.Contains(p.types, c.Type) && len(p.types) < maxTypes {
		p.types = append(p.types, c.Type)
	}
}

// chosen are row groups spread over the log: the first, the last, and others
// between them.
func (s *sample) chosen() []sampled {
	if len(s.places) <= sampleGroups {
		return s.places
	}
	var some []sampled
	for k := range sampleGroups {
		some = append(some, s.places[k*(len(s.places)-1)/(sampleGroups-1)])
	}
	return some
}

// share is the number of rows that a row group adds to those taken so far.
func (s *sample) share(at *sampled, taken int) int {
	share := int64(sampleRows / min(len(s.places), sampleGroups))
	return int(min(at.rows, share, int64(sampleRows-taken)))
}

// group reads the first rows of a row group: all columns, or none of them.
func (s *sample) group(f *pages.File, at *sampled) error {
	n := s.share(at, s.taken)
	if n == 0 {
		return nil
	}
	read, passed := map[*profile]bool{}, map[*profile]bool{}
	for i, c := range f.Columns() {
		p := s.index[f.Name(c)]
		passed[p] = true
		if s.only != "" && p != s.index[s.only] {
			continue
		}
		if s.only == "" && i >= sampleColumns || p == nil || read[p] || !c.Readable() || c.Depth != p.column.Depth {
			continue
		}
		read[p] = true
		if err := s.column(f, at.group, c, p, n); err != nil {
			return err
		}
	}
	for _, part := range at.source.Partitions {
		p := s.index[part.Key]
		if p == nil || read[p] {
			continue
		}
		read[p] = true
		k, twice := s.partitions.Constant(at.source.Partitions, part.Key)
		if twice {
			continue
		}
		if err := p.fill(k.Cursor(int64(n), 0), k.Column, n); err != nil {
			return err
		}
	}
	s.taken += n
	for _, p := range s.columns {
		if read[p] {
			continue
		}
		p.hashes = append(p.hashes, make([]uint64, n)...) // rows line up in all columns
		if !passed[p] {                                   // the file does not have it
			p.rows, p.nulls = p.rows+n, p.nulls+n
		}
	}
	return nil
}

func (s *sample) column(f *pages.File, g int, c *pages.Column, p *profile, n int) error {
	var cur cell.Cursor
	var err error
	switch c.Depth {
	case 0:
		cur, err = f.Cursor(g, c)
	case 1:
		cur, err = f.List(g, c, sampleWidth)
	default:
		cur, err = f.Nested(g, c, 0, 0)
	}
	if err != nil {
		return err
	}
	defer cur.Close()
	return p.fill(cur, c, n)
}

// fill reads n rows.
func (p *profile) fill(cur cell.Cursor, c *pages.Column, n int) error {
	var b pages.Block
	for left := n; left > 0; {
		got, err := cur.Next(&b, min(left, cell.BlockRows))
		if err != nil {
			return err
		}
		p.add(&b, c, got)
		left -= got
	}
	return nil
}
