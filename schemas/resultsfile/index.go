package resultsfile

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Index says where a results.json has what of an experiment, so that two of them can be
// compared experiment by experiment, whatever the order of each. It holds some 150 bytes
// for an experiment.
type Index struct {
	file   *File
	places map[string]*place
}

type place struct {
	claims     []run // one, unless others stand between
	experiment span  // empty where there is none
}

// span is a part of the file, in bytes.
type span struct{ from, to int64 }

// run are claims that stand behind one another.
type run struct {
	span
	first int // among all
}

// Part is what a results.json has of an experiment.
type Part struct {
	Claims     []schemas.Finding
	Places     []int               // of each of them, among all
	Experiment *schemas.Experiment // nil where there is none
}

// Index reads the file once more and checks every experiment.
func (f *File) Index(ctx context.Context) (*Index, error) {
	form, err := f.catalogue.ResultsForm("#/$defs/Experiment")
	if err != nil {
		return nil, err
	}
	x := &Index{f, map[string]*place{}}
	var last *place
	err = f.walk(func(e *element) error {
		at := span{e.end - int64(len(e.text)), e.end}
		if e.list == keyExperiments {
			v, fault := decode[schemas.Experiment](&f.document, form, e)
			if fault != nil {
				return fault
			}
			x.of(x.name(v.ID, e.i)).experiment = at
			return ctx.Err()
		}
		var c struct{ Experiment string }
		if fault := json.Unmarshal(e.text, &c); fault != nil {
			return f.invalid(fault)
		}
		p := x.of(c.Experiment)
		if p == last {
			p.claims[len(p.claims)-1].to = at.to
			return ctx.Err()
		}
		p.claims, last = append(p.claims, run{at, e.i}), p
		return ctx.Err()
	}, func(string, json.RawMessage) error { return nil })
	return x, err
}

// of is the place of an experiment.
func (x *Index) of(name string) *place {
	p := x.places[name]
	if p == nil {
		p = &place{}
		x.places[name] = p
	}
	return p
}

// name is the id of the experiment at index i, with i where there is none or another one
// has it.
func (x *Index) name(id string, i int) string {
	if p := x.places[id]; id != "" && (p == nil || p.experiment == span{}) {
		return id
	}
	return strings.TrimPrefix(id+"#", "#") + strconv.Itoa(i)
}

// Names are the ids of all experiments, and of those that claims are about, in no order.
// Where two have one id, the others have their places behind it.
func (x *Index) Names() []string { return slices.Collect(maps.Keys(x.places)) }

// Part reads what the file has of an experiment.
func (x *Index) Part(name string) (_ *Part, err error) {
	file, err := os.Open(x.file.path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	p := x.places[name]
	if p == nil {
		p = &place{}
	}
	part := &Part{Claims: []schemas.Finding{}}
	for _, r := range p.claims {
		var some []schemas.Finding
		if err = decodeAt(file, r.span, &some); err != nil {
			return nil, err
		}
		for i := range some {
			part.Claims, part.Places = append(part.Claims, some[i]), append(part.Places, r.first+i)
		}
	}
	if p.experiment != (span{}) {
		var one [1]*schemas.Experiment
		if err = decodeAt(file, p.experiment, &one); err == nil {
			part.Experiment = one[0]
		}
	}
	return part, err
}

// decodeAt decodes elements of a list that stand behind one another.
func decodeAt(file io.ReaderAt, s span, list any) error {
	from := io.NewSectionReader(file, s.from, s.to-s.from)
	return json.NewDecoder(io.MultiReader(strings.NewReader("["), from, strings.NewReader("]"))).Decode(list)
}
