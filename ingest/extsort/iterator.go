package extsort

// Iterator walks sorted records:
//
//	for it.Next() {
//		use(it.Key(), it.Payload())
//	}
//	err := it.Err()
type Iterator struct {
	memory *ordered // where the records are in memory
	merge  *merge   // where they are on disk
	begun  bool
	count  int
	stop   func() error
	record []byte
	err    error
}

// Next moves to the next record and reports whether there is one. After an
// error there is none.
func (it *Iterator) Next() bool {
	if it.err != nil {
		return false
	}
	if it.count++; it.count%stopEvery == 1 {
		if it.err = it.stop(); it.err != nil {
			return false
		}
	}
	if it.memory != nil {
		if !it.memory.next() {
			return false
		}
		it.record = it.memory.record
		return true
	}
	if it.begun && it.merge.left > 0 {
		if it.err = it.merge.next(); it.err != nil {
			return false
		}
	}
	it.begun = true
	it.record = it.merge.top().record
	return it.record != nil
}

// Key is the record's key, valid until the next call of Next.
func (it *Iterator) Key() []byte {
	key, _ := split(it.record)
	return key
}

// Payload is what was added with the key, valid until the next call of Next.
func (it *Iterator) Payload() []byte {
	_, payload := split(it.record)
	return payload
}

// Err is the error that ended the walk early: a *DiskError, the Budget's where
// not even one record can be read, or the error of Config.Stop.
func (it *Iterator) Err() error { return it.err }
