package policy

import "banditaudit/schemas/param"

// DefaultDelta is the level of a width that declares none: that of linucb, and
// that of a bonus beside a width without a level.
const DefaultDelta = 0.05

const widthKey = "width"

// indexKeys are the keys of a policy that compares upper confidence bounds.
func indexKeys() []param.Key {
	return []param.Key{
		{
			Name: widthKey, Needed: true, Doc: "confidence width of the index", Form: widthForm(),
			Why: "adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean", Mend: "add width: {delta: 0.05}, or width: {c: 2} for UCB1",
		},
		{
			Name: param.BonusKey, Doc: "allowance in the index for the counter's noise",
			Form: param.Word{Words: []string{param.NoBonus, param.QuantileBonus, param.PaperBonus}},
		},
	}
}

// widthForm is a Width: {delta: δ} or {c: c}.
func widthForm() param.Group {
	return param.Group{
		Keys: []param.Key{
			{Name: "delta", Doc: "δ of the width √(2·ln(t/δ)/N)", Form: param.Between(0, 1)},
			{Name: "c", Doc: "c of the width √(c·ln(t)/N)", Form: param.Above0()},
		},
		Whole: func(j param.Judge, path string, v param.Values) bool {
			switch {
			case v.Has("delta") && v.Has("c"):
				j.Fail(path+".c", "stands beside "+path+".delta", "a width has one form", "delete one of the two")
				return false
			case !v.Has("delta") && !v.Has("c") && j.Sound(path):
				j.Fail(path, "has neither delta nor c", "a width has one form", "write {delta: 0.05}, or {c: 2} for UCB1")
			}
			return true
		},
	}
}

// withoutBonus declares no bonus where none is declared.
func withoutBonus(v param.Values) param.Values {
	if v.Word(param.BonusKey) != "" {
		return v
	}
	return v.With(param.BonusKey, param.NoBonus)
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

// declaredIndex returns the declared width, and the declared bonus; nil for none. A
// bonus spreads δ over K·horizon events.
func declaredIndex(v param.Values, b Bandit) (Width, Bonus) {
	w := v.Group(widthKey)
	width := Width{Delta: w.Float("delta"), C: w.Float("c")}.Shared()
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
