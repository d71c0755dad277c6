package resultsfile

import (
	"bytes"
	"sync"

	"banditaudit/schemas"
)

// maxBatch is how many elements are decoded side by side.
const maxBatch = 64

// batch decodes elements of a list side by side and hands them over in their order. All of
// its texts together have no more bytes than one element may have, so that a batch takes
// no more memory than the largest element.
type batch[T any] struct {
	document *document
	form     *schemas.Form
	visit    func(*T) error

	elements []element
	bytes    int64
}

// take keeps an element, whose text it copies. The elements before it are handed over
// where there is no room beside them.
func (b *batch[T]) take(e *element) error {
	size := int64(len(e.text))
	if len(b.elements) == maxBatch || b.bytes+size > b.document.part {
		if err := b.flush(); err != nil {
			return err
		}
	}
	kept := *e
	kept.text = bytes.Clone(e.text)
	b.elements, b.bytes = append(b.elements, kept), b.bytes+size
	return nil
}

// flush decodes and hands over the elements that are kept. The error is that of the first
// element that has one.
func (b *batch[T]) flush() error {
	decoded, faults := make([]*T, len(b.elements)), make([]error, len(b.elements))
	var all sync.WaitGroup
	for i := range b.elements {
		all.Go(func() { decoded[i], faults[i] = decode[T](b.document, b.form, &b.elements[i]) })
	}
	all.Wait()
	b.elements, b.bytes = b.elements[:0], 0
	for i, v := range decoded {
		if faults[i] != nil {
			return faults[i]
		}
		if err := b.visit(v); err != nil {
			return err
		}
	}
	return nil
}

// end hands over what is left where a walk ended, with err where it failed: the elements
// before the place of that fault come first.
func (b *batch[T]) end(err error) error {
	if before := b.flush(); before != nil {
		return before
	}
	return err
}
