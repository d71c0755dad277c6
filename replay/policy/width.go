package policy

import (
	"maps"

	"banditaudit/schemas/param"
)

// DefaultDelta is the level of a width that declares none: the level of linucb, and the
// level of a bonus beside a width without a level.
const DefaultDelta = 0.05

const widthKey = "width"

// indexKeys are the keys of a policy that compares upper confidence bounds.
func indexKeys() []param.Key {
	return []param.Key{
		{
			Name: widthKey, Needed: true, Doc: "confidence width of the index", Form: widthForm(),
			Why: "adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean", Mend: "add width: {delta: 0.05}, or width: {c: 2} for UCB1", Near: nearWidths,
		},
		{
			Name: param.BonusKey, Doc: "allowance in the index for the counter's noise",
			Form: param.Word{Words: []string{param.NoBonus, param.QuantileBonus, param.PaperBonus}},
		},
	}
}

// widthForm is a Width: one of delta, c and alpha, with a clock or a horizon.
func widthForm() param.Group {
	return param.Group{
		Keys: append([]param.Key{
			{Name: "delta", Doc: "δ of the width √(2·ln(t/δ)/N)", Form: param.Between(0, 1)},
			{Name: "c", Doc: "c of the width √(c·ln(t)/N)", Form: param.Above0()},
			{Name: alphaKey, Doc: "α of the width α·√(2·ln(t)/N): c = 2α²", Form: param.Between(0, extreme)},
		}, append(clockKeys(), horizonOfKey())...),
		Whole: func(j param.Judge, path string, v param.Values) bool {
			checkClock(j, path, v)
			return checkForms(j, path, v)
		},
	}
}

// alphaKey is the key of a width by its factor.
const alphaKey = "alpha"

// nearWidths lists values with another width: the number by its other name, c for α and α for
// c, half and twice the number, and UCB1 in place of a level.
func nearWidths(v param.Values) []param.Values {
	w := v.Group(widthKey)
	var out []param.Values
	add := func(key string, x float64) {
		other := maps.Clone(w)
		for _, form := range []string{"delta", "c", alphaKey} {
			delete(other, form)
		}
		out = append(out, v.With(widthKey, other.With(key, x)))
	}
	switch {
	case w.Has("c"):
		c := w.Float("c")
		add(alphaKey, c)
		add("c", c/2)
		add("c", 2*c)
	case w.Has(alphaKey):
		alpha := w.Float(alphaKey)
		add("c", alpha)
		add(alphaKey, alpha/2)
		add(alphaKey, 2*alpha)
	case w.Has("delta"):
		add("c", 2)
	}
	return out
}

// checkForms judges whether a width has one form, and reports whether it has no
// two.
func checkForms(j param.Judge, path string, v param.Values) bool {
	const rule = "a width has one form"
	form := ""
	for _, key := range []string{"delta", "c", alphaKey} {
		switch {
		case !v.Has(key):
		case form == "":
			form = key
		default:
			j.Fail(path+"."+key, "stands beside "+path+"."+form, rule, "delete one of the two")
			return false
		}
	}
	if form == "" && j.Sound(path) {
		j.Fail(path, "has none of delta, c and alpha", rule, "write {delta: 0.05}, or {c: 2} for UCB1")
	}
	return true
}

// withoutBonus declares no bonus where none is declared.
func withoutBonus(v param.Values) param.Values {
	if v.Word(param.BonusKey) != "" {
		return v
	}
	return v.With(param.BonusKey, param.NoBonus)
}

// withIndex declares no bonus, and the clock of the width, where none is declared.
func withIndex(v param.Values) param.Values {
	v = withoutBonus(v)
	if w := v.Group(widthKey); w != nil {
		v = v.With(widthKey, withClock(w))
	}
	return v
}

// startIndex declares the width of level 0.05, and the bonus that covers the
// counter's noise where there is any.
func startIndex(s Scene) map[string]string {
	bonus := param.NoBonus
	if s.Noise {
		bonus = param.QuantileBonus
	}
	return map[string]string{widthKey: "{delta: 0.05}", param.BonusKey: bonus}
}

// declaredWidth returns the width of a group: where it is declared by its factor α,
// c is 2 ⊗ (α ⊗ α).
func declaredWidth(w param.Values) Width {
	c := w.Float("c")
	if a := w.Float(alphaKey); a > 0 {
		c = 2 * float64(a*a)
	}
	return Width{Delta: w.Float("delta"), C: c, Clock: declaredClock(w)}
}

// declaredIndex returns the declared width, and the declared bonus; nil for none. A
// bonus spreads δ over K·horizon events.
func declaredIndex(v param.Values, b Bandit) (Width, Bonus) {
	width := declaredWidth(v.Group(widthKey)).Shared()
	delta := width.Delta
	if delta == 0 {
		delta = DefaultDelta
	}
	switch v.Word(param.BonusKey) {
	case param.QuantileBonus:
		return width, b.Quantile(delta / float64(float64(b.Arms)*float64(b.Horizon)))
	case param.PaperBonus:
		return width, NewPaper(b.Arms, b.Horizon, delta, b.Epsilon)
	}
	return width, nil
}
