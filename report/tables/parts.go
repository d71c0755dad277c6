package tables

import "banditaudit/schemas"

// of is a row made of an experiment and one of its parts. A part of the whole
// run has no X.
type of[T any] struct {
	X  *schemas.Experiment
	Of *T
	S  subject
}

// subject is what a row is about: an arm, or what one arm has above another.
type subject struct {
	Arm     *int
	Label   string `json:"arm_label"`
	Versus  *int
	Against string `json:"versus_label"`
}

// places are the places of an experiment's arms, by label.
func places(x *schemas.Experiment) map[string]int {
	at := make(map[string]int, len(x.Arms))
	for i := range x.Arms {
		at[x.Arms[i].Label] = x.Arms[i].Arm
	}
	return at
}

// subjectOf is about the arms with these labels; one that no arm has has no place.
func subjectOf(at map[string]int, arm, versus string) subject {
	s := subject{Label: arm, Against: versus}
	if i, ok := at[arm]; ok {
		s.Arm = &i
	}
	if i, ok := at[versus]; ok {
		s.Versus = &i
	}
	return s
}

// all makes a row of each part.
func all[T any](x *schemas.Experiment, parts []T) []of[T] {
	out := make([]of[T], len(parts))
	for i := range parts {
		out[i] = of[T]{X: x, Of: &parts[i]}
	}
	return out
}

// about makes a row of each part, which is about the arms of these labels.
func about[T any](x *schemas.Experiment, parts []T, labels func(*T) (arm, versus string)) []of[T] {
	out, at := all(x, parts), places(x)
	for i := range out {
		arm, versus := labels(out[i].Of)
		out[i].S = subjectOf(at, arm, versus)
	}
	return out
}

// within is a row made of a part and a part of that.
type within[T, U any] struct {
	X  *schemas.Experiment
	Of *T
	In *U
	S  subject
}

// parted makes a row of each part of each part. A part without any has one row,
// so that its own facts are not lost.
func parted[T, U any](parts []of[T], inner func(*T) []U) []within[T, U] {
	var out []within[T, U]
	for _, p := range parts {
		list := inner(p.Of)
		if len(list) == 0 {
			out = append(out, within[T, U]{p.X, p.Of, nil, p.S})
		}
		for j := range list {
			out = append(out, within[T, U]{p.X, p.Of, &list[j], p.S})
		}
	}
	return out
}
