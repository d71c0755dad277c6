package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/mmap"
	"banditaudit/ingest/pages"
)

// log is an open Parquet file.
type log struct {
	*pages.File
	bytes *mmap.File
}

func openLog(path string) (*log, error) {
	m, err := mmap.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := pages.Open(m, int64(len(m.Bytes())), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), m.Close())
	}
	return &log{f, m}, nil
}

// parquet makes one pass over the files.
func (j *job) parquet(files []string) (*part, error) {
	type piece struct {
		log   *log
		group int
	}
	var pieces []piece
	var logs []*log
	defer func() {
		for _, l := range logs {
			l.Close()
			l.bytes.Close() //nolint:errcheck,gosec // nothing was written
		}
	}()
	for _, path := range files {
		l, err := openLog(path)
		if err != nil {
			return nil, err
		}
		logs = append(logs, l)
		for g := range l.Groups() {
			pieces = append(pieces, piece{l, g})
		}
	}
	return j.fold(len(pieces), func(_ context.Context, i int) (*part, error) {
		l, g := pieces[i].log, pieces[i].group
		var p *part
		err := l.bytes.Guard(func() (err error) {
			p, err = j.group(l, g)
			return err
		})
		return p, err
	})
}

// scratch is memory that row groups use one after the other.
type scratch struct {
	blocks []pages.Block
	arm    []int32
}

func (j *job) newScratch() any {
	w := &scratch{blocks: make([]pages.Block, j.width+2)}
	for i := range w.blocks {
		w.blocks[i].View = true
	}
	return w
}

// reader is a flat cursor or one of lists.
type reader interface {
	Next(b *pages.Block, n int) (int, error)
	Close()
}

// group reads one row group: the arm, the reward and then the covariates.
func (j *job) group(l *log, g int) (*part, error) {
	names := []string{j.action, j.reward}
	if j.what == "ols" && j.list == "" {
		names = append(names, j.columns...)
	}
	var readers []reader
	defer func() {
		for _, r := range readers {
			r.Close()
		}
	}()
	for _, name := range names {
		r, err := l.flat(g, name)
		if err != nil {
			return nil, err
		}
		readers = append(readers, r)
	}
	if j.what == "ols" && j.list != "" {
		c, err := l.Column(j.list)
		if err != nil {
			return nil, err
		}
		r, err := l.List(g, c, j.width)
		if err != nil {
			return nil, err
		}
		readers = append(readers, r)
	}
	return j.sum(readers, l.GroupRows(g))
}

func (l *log) flat(g int, name string) (reader, error) {
	c, err := l.Column(name)
	if err != nil {
		return nil, err
	}
	return l.Cursor(g, c)
}

func (j *job) sum(readers []reader, rows int64) (*part, error) {
	p := j.newPart()
	by := moments.NewByArm(p.cross)
	w := j.scratch.Get().(*scratch) // of New
	defer j.scratch.Put(w)
	blocks, arm := w.blocks[:len(readers)], w.arm
	for rows > 0 {
		n := int(min(int64(j.rows), rows))
		for i, r := range readers {
			if got, err := r.Next(&blocks[i], n); err != nil || got != n {
				return nil, errors.Join(err, fmt.Errorf("%d of %d rows", got, n))
			}
			if blocks[i].Nulls > 0 || blocks[i].Length != nil && slices.Contains(blocks[i].ItemNulls, true) {
				return nil, errors.New("this log has nulls; the benchmark reads none")
			}
		}
		arm = arm[:0]
		for _, a := range blocks[0].Int {
			arm = append(arm, int32(a)) //nolint:gosec // checked against the number of arms by what adds it
		}
		w.arm = arm
		if err := j.add(p, by, arm, blocks[1:]); err != nil {
			return nil, err
		}
		rows -= int64(n)
	}
	return p, nil
}

func (j *job) add(p *part, by *moments.ByArm, arm []int32, blocks []pages.Block) error {
	y := blocks[0].Float
	switch {
	case j.what == "means":
		return moments.AddScalarsByArm(p.scalar, arm, y)
	case j.list != "":
		for _, n := range blocks[1].Length {
			if int(n) != j.width {
				return fmt.Errorf("a list of %d values where -width is %d", n, j.width)
			}
		}
		return by.AddRows(arm, blocks[1].Float, y)
	}
	x := make([][]float64, 0, j.width)
	for i := range blocks[1:] {
		x = append(x, blocks[1+i].Float)
	}
	return by.Add(arm, x, y)
}
