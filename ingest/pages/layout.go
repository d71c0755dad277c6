package pages

// layout is what a Thrift structure of Parquet has: a structure whose bytes
// contradict its layout is damaged. Thrift itself would leave out a field of
// another type or number, and what the field says would be lost without a word
// (github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
type layout struct {
	fields []field // by number
	union  bool    // exactly one field is there
	// whole says that no field may follow the last of fields: it could say that
	// the others mean something else. Elsewhere newer fields are left out.
	whole bool

	required uint64 // by bit, the numbers of the fields that must be there
}

// field is a field of a layout; the zero value is a number that is not used.
type field struct {
	typ  int     // of Thrift; thriftTrue stands for both booleans
	of   *layout // of a structure, or of a list's structures
	item int     // type of a list's items
	must bool
	mend string // of a file that has a boolean instead; "": to write it again
}

// The forms of fields.
func fieldI8() field     { return field{typ: thriftI8} }
func fieldI16() field    { return field{typ: thriftI16} }
func fieldI32() field    { return field{typ: thriftI32} }
func fieldI64() field    { return field{typ: thriftI64} }
func fieldBool() field   { return field{typ: thriftTrue} }
func fieldBinary() field { return field{typ: thriftBinary} }

func fieldOf(l *layout) field   { return field{typ: thriftStruct, of: l} }
func fieldList(item int) field  { return field{typ: thriftList, item: item} }
func fieldAll(of *layout) field { return field{typ: thriftList, item: thriftStruct, of: of} }

// must is a field that has to be there.
func must(f field) field {
	f.must = true
	return f
}

// fieldsOf is a layout of fields numbered from 1.
func fieldsOf(fields ...field) *layout {
	l := &layout{fields: append([]field{{}}, fields...)}
	for id, f := range l.fields {
		if f.must {
			l.required |= 1 << id
		}
	}
	return l
}

// closed is a layout beyond which no field may follow.
func closed(l *layout) *layout {
	l.whole = true
	return l
}

// oneOf is a union of fields numbered from 1. A newer member is left to whoever
// reads it.
func oneOf(fields ...field) *layout {
	l := fieldsOf(fields...)
	l.union = true
	return l
}

// layouts holds the layouts of the two structures of a file.
type layouts struct{ footer, page *layout }

func newLayouts() layouts {
	statistics := layoutStatistics()
	return layouts{layoutFooter(statistics), layoutPage(statistics)}
}

func layoutLogical() *layout {
	none := fieldOf(closed(fieldsOf()))
	unit := closed(oneOf(none, none, none))
	time := fieldOf(closed(fieldsOf(must(fieldBool()), must(fieldOf(unit)))))
	return oneOf(
		none, none, none, none, // string, map, list, enum
		fieldOf(closed(fieldsOf(must(fieldI32()), must(fieldI32())))), none, // decimal, date
		time, time, field{}, // time, timestamp
		fieldOf(closed(fieldsOf(must(fieldI8()), must(fieldBool())))), // integer
		none, none, none, none, none, // unknown, JSON, BSON, UUID, float16
		fieldOf(fieldsOf(fieldI8())), fieldOf(fieldsOf(fieldBinary())), // variant, geometry
		fieldOf(fieldsOf(fieldBinary(), fieldI32())), // geography
	)
}

func layoutStatistics() *layout {
	return fieldsOf(fieldBinary(), fieldBinary(), fieldI64(), fieldI64(), fieldBinary(), fieldBinary(), fieldBool(), fieldBool())
}

func layoutFooter(statistics *layout) *layout {
	i32, i64, binary := fieldI32(), fieldI64(), fieldBinary()
	repetition := fieldI32()
	repetition.mend = "a column's repetition is a boolean, as fastparquet writes it for has_nulls=\"infer\" and None: write the log with has_nulls=True or False"
	element := closed(fieldsOf(i32, i32, repetition, must(binary), i32, i32, i32, i32, i32, fieldOf(layoutLogical())))
	pairs := fieldAll(fieldsOf(must(binary), binary))
	sizes := fieldsOf(i64, fieldList(thriftI64), fieldList(thriftI64))
	encodings := fieldAll(fieldsOf(must(i32), must(i32), must(i32)))
	data := fieldsOf(
		must(i32), must(fieldList(thriftI32)), must(fieldList(thriftBinary)), must(i32), must(i64), must(i64), must(i64),
		pairs, must(i64), i64, i64, fieldOf(statistics), encodings, i64, i32, fieldOf(sizes))
	chunk := fieldsOf(binary, must(i64), fieldOf(data), i64, i32, i64, i32)
	sorted := fieldAll(fieldsOf(must(i32), must(fieldBool()), must(fieldBool())))
	group := fieldsOf(must(fieldAll(chunk)), must(i64), must(i64), sorted, i64, i64, fieldI16())
	orders := fieldAll(oneOf(fieldOf(closed(fieldsOf()))))
	return fieldsOf(must(i32), must(fieldAll(element)), must(i64), must(fieldAll(group)), pairs, binary, orders)
}

func layoutPage(statistics *layout) *layout {
	i32 := fieldI32()
	return closed(fieldsOf(
		must(i32), must(i32), must(i32), i32,
		fieldOf(closed(fieldsOf(must(i32), must(i32), must(i32), must(i32), fieldOf(statistics)))),
		fieldOf(closed(fieldsOf())),
		fieldOf(closed(fieldsOf(must(i32), must(i32), fieldBool()))),
		fieldOf(closed(fieldsOf(must(i32), must(i32), must(i32), must(i32), must(i32), must(i32), fieldBool(), fieldOf(statistics))))))
}

// vetAs is vet of a structure that has a layout.
func vetAs(l *layout, buf []byte) (length int, err error) {
	v := vetter{buf: buf}
	if err := v.laidOut(l, 0); err != nil {
		return 0, err
	}
	return v.pos, nil
}

// laidOut walks over a structure that has a layout.
func (v *vetter) laidOut(l *layout, depth int) error {
	seen := uint64(0)
	for id := 0; ; {
		typ, next, err := v.fieldHead(id)
		if err != nil {
			return err
		}
		if typ == thriftStop {
			return l.complete(seen)
		}
		id = next
		if id < 1 || id < 64 && seen&(1<<id) != 0 {
			return damaged("field %d is there twice, or no field", id)
		}
		if id < 64 {
			seen |= 1 << id
		}
		if err := v.fieldAs(l, id, typ, depth); err != nil {
			return err
		}
	}
}

// fieldHead reads the type and the number of the field after the one numbered last.
func (v *vetter) fieldHead(last int) (typ, id int, err error) {
	head, err := v.byte()
	if err != nil || head == thriftStop {
		return thriftStop, 0, err
	}
	if delta := int(head >> 4); delta > 0 {
		return int(head & 15), last + delta, nil
	}
	u, err := v.varint()
	id = int(int16(u>>1) ^ -int16(u&1)) //nolint:gosec // numbers of fields have 16 bits
	return int(head & 15), id, err
}

// complete checks that the fields that must be there are.
func (l *layout) complete(seen uint64) error {
	if missing := l.required &^ seen; missing != 0 {
		id := 0
		for missing>>id&1 == 0 {
			id++
		}
		return damaged("field %d is missing", id)
	}
	if l.union && (seen == 0 || seen&(seen-1) != 0) {
		return damaged("a union that does not have exactly one member")
	}
	return nil
}

// fieldAs walks over the value of a field.
func (v *vetter) fieldAs(l *layout, id, typ, depth int) error {
	if id >= len(l.fields) || l.fields[id].typ == 0 {
		if l.whole || id < len(l.fields) && !l.union {
			return damaged("field %d is not one that is known", id)
		}
		if typ == thriftTrue || typ == thriftFalse {
			return nil
		}
		return v.value(typ, depth)
	}
	f := &l.fields[id]
	if f.typ == thriftTrue && typ == thriftFalse {
		return nil
	}
	if typ != f.typ {
		err := damaged("field %d of type %d", id, typ)
		if f.mend != "" && (typ == thriftTrue || typ == thriftFalse) {
			return &MendError{err, f.mend}
		}
		return err
	}
	switch {
	case typ == thriftTrue:
		return nil
	case typ == thriftStruct && depth < maxThriftDepth:
		return v.laidOut(f.of, depth+1)
	case typ == thriftList:
		return v.listAs(f, depth+1)
	}
	return v.value(typ, depth)
}

// listAs walks over the items of a list.
func (v *vetter) listAs(f *field, depth int) error {
	n, item, err := v.listHead()
	if err != nil {
		return err
	}
	if n > uint64(len(v.buf[v.pos:])) {
		return errShort
	}
	if n > 0 && item != f.item {
		return damaged("a list of type %d", item)
	}
	for range n {
		if f.of != nil {
			err = v.laidOut(f.of, depth+1)
		} else {
			err = v.value(item, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listHead reads how many items a list has, and their type.
func (v *vetter) listHead() (n uint64, item int, err error) {
	head, err := v.byte()
	if err != nil {
		return 0, 0, err
	}
	if n = uint64(head >> 4); n == 15 {
		n, err = v.varint()
	}
	return n, int(head & 15), err
}
