package report

import "fmt"

// File is one rendered file.
type File struct {
	Name string // path below the report's directory, with slashes: figures/arms.svg
	Data []byte
}

type figureKind int

const (
	figureArms figureKind = iota
	figureAllocation
	figureEffects
)

// drawing is a figure that has data, drawn or not yet.
type drawing struct {
	experiment int
	kind       figureKind
	name       string // file name
	title      string
	caption    string
	draw       func(description string) ([]byte, error)
	svg        []byte
}

// Figures draws the figures of the results as SVG with real text, in the order
// of the experiments: arm means with their intervals (figures/arms.svg),
// allocation over time (figures/allocation.svg), and the differences that tests ask
// about (figures/effects.svg). With several experiments the names end in the index
// of the experiment, figures/arms-0.svg, and only the first few are drawn.
//
// The same results give the same bytes. A figure without data is left out. An
// error is returned when r is nil or its protocol is not one.
//
// Special cases are:
//
//	no arm with a mean gives no arms figure
//	no series allocation/<arm> gives no allocation figure
//	no test of a difference with an interval gives no figure of differences
func Figures(r *Digest) ([]File, error) {
	p, err := readProtocol(r)
	if err != nil {
		return nil, err
	}
	drawn, err := drawAll(drawings(r, &p))
	if err != nil {
		return nil, err
	}
	files := make([]File, 0, len(drawn))
	for _, d := range drawn {
		files = append(files, File{Name: d.name, Data: d.svg})
	}
	return files, nil
}

// drawings lists the figures that have data.
func drawings(r *Digest, p *protocol) []drawing {
	var out []drawing
	for i := range r.Experiments {
		if i == maxDrawn {
			break
		}
		x := &r.Experiments[i]
		for _, d := range []*drawing{armsFigure(x, p), allocationFigure(x), effectsFigure(x, p)} {
			if d == nil {
				continue
			}
			d.experiment = i
			if r.count > 1 {
				d.name = fmt.Sprintf("%s-%d", d.name, i)
				d.title += ": " + cut(label(x.ID), maxFigure)
			}
			d.name = "figures/" + d.name + ".svg"
			out = append(out, *d)
		}
	}
	return out
}

func drawAll(list []drawing) ([]drawing, error) {
	for i := range list {
		svg, err := list[i].draw(visible(list[i].caption))
		if err != nil {
			return nil, err
		}
		list[i].svg = svg
	}
	return list, nil
}

// figure adds the experiment's figure of a kind, or says what it would need.
func (s *study) figure(b *builder, kind figureKind, absent string) {
	for _, d := range s.figures {
		if d.kind == kind {
			b.figures++
			b.add(picture{Name: d.name, Title: d.title, Caption: fmt.Sprintf("Figure %d. %s", b.figures, d.caption), source: d.svg})
			return
		}
	}
	if s.drawn && absent != "" {
		b.note(absent)
	}
}
