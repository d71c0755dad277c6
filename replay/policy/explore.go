package policy

import "banditaudit/schemas/param"

// The keys of the probability of exploring.
const (
	exploreKey     = "explore"
	epsilonKey     = "epsilon"
	decayKey       = "decay"
	exponentialKey = "exponential"
	harmonicKey    = "harmonic"
	linearKey      = "linear"
	fromKey        = "from"
	toKey          = "to"
)

const exploreMend = "write 0.1, or {decay: 5} for min(1, 5/t) in round t, {exponential: 0.001, from: 0.9}, {harmonic: 0.1, from: 1, to: 0.01} or {linear: [1, 0.05, 1000]}"

// exploreKeys are the keys of the probability of exploring, explore and its other name.
func exploreKeys() []param.Key {
	form := param.Either{
		Number: param.Probability(),
		Group: param.Group{Keys: append([]param.Key{
			{Name: decayKey, Doc: "probability of a choice at random in round t, times t", Form: param.Above0()},
			{Name: exponentialKey, Doc: "d of from·exp(−d·t)", Form: param.Above0()},
			{Name: harmonicKey, Doc: "l of to + (from − to)/(1 + l·t)", Form: param.Above0()},
			{Name: linearKey, Doc: "probability in the first round, the one that it comes to, and in how many rounds", Form: param.Numbers{Each: []param.Number{param.Probability(), param.Probability(), param.Whole(1, 1e15)}}},
			{Name: fromKey, Doc: "probability with which it begins", Form: param.Probability()},
			{Name: toKey, Doc: "probability that it comes to", Form: param.Probability()},
		}, clockKeys()...), Whole: wholeExploration},
		Want: "a probability, or a mapping of one of decay, exponential, harmonic and linear", Mend: exploreMend,
	}
	return []param.Key{
		{
			Name: exploreKey, Needed: true, Doc: "probability of a choice at random", Form: form,
			Why: "explores with a declared probability", Mend: "add explore: 0.1, or explore: {decay: 5} for min(1, 5/t) in round t",
			Unless: func(v param.Values) bool { return v.Has(epsilonKey) },
			Near:   nearExplorations,
		},
		{Name: epsilonKey, Doc: "explore by another name", Form: form},
	}
}

// nearExplorations lists values with an exploration that falls by another form, as fast.
func nearExplorations(v param.Values) []param.Values {
	g := v.Group(exploreKey)
	form := func(x param.Values) []param.Values {
		for _, key := range []string{clockKey, offsetKey} {
			if g.Has(key) {
				x[key] = g[key]
			}
		}
		return []param.Values{v.With(exploreKey, x)}
	}
	switch {
	case g.Has(decayKey):
		return form(param.Values{harmonicKey: 1 / g.Float(decayKey), fromKey: 1.0, toKey: 0.0})
	case g.Has(harmonicKey) && g.Float(toKey) == 0:
		return append(form(param.Values{exponentialKey: g.Float(harmonicKey), fromKey: g.Float(fromKey)}), form(param.Values{decayKey: g.Float(fromKey) / g.Float(harmonicKey)})...)
	case g.Has(exponentialKey):
		return form(param.Values{harmonicKey: g.Float(exponentialKey), fromKey: g.Float(fromKey), toKey: 0.0})
	}
	return nil
}

// wholeExploration judges whether an exploration that changes has one form, and what
// belongs to it.
func wholeExploration(j param.Judge, path string, v param.Values) bool {
	form := ""
	for _, key := range []string{decayKey, exponentialKey, harmonicKey, linearKey} {
		switch {
		case !v.Has(key):
		case form != "":
			j.Fail(path+"."+key, "stands beside "+path+"."+form, "an exploration has one form", "delete one of the two")
			return false
		default:
			form = key
		}
	}
	if form == "" {
		if j.Sound(path) {
			j.Fail(path, "has none of decay, exponential, harmonic and linear", "it is a probability, or changes by one of these", exploreMend)
		}
		return false
	}
	takes := map[string][]string{
		decayKey: {clockKey, offsetKey}, exponentialKey: {fromKey, clockKey, offsetKey}, harmonicKey: {fromKey, toKey, clockKey, offsetKey},
	}[form]
	for _, key := range []string{fromKey, toKey, clockKey, offsetKey} {
		belongs, ends := false, key == fromKey || key == toKey
		for _, k := range takes {
			belongs = belongs || k == key
		}
		switch {
		case v.Has(key) && !belongs:
			j.Fail(path+"."+key, "does not belong here", "it says nothing of "+form, "delete the key")
		case belongs && ends && !v.Has(key):
			j.Fail(path+"."+key, "is missing", form+" has a probability with which it begins, and harmonic one that it comes to", "add "+key+": NUMBER")
		}
	}
	return true
}

// withExploration gives the exploration its first name, and its clock where it has one
// and declares none.
func withExploration(v param.Values) param.Values {
	if x := v[epsilonKey]; v.Has(epsilonKey) && !v.Has(exploreKey) {
		v = v.With(exploreKey, x)
		delete(v, epsilonKey)
	}
	g := v.Group(exploreKey)
	if g == nil || g.Has(linearKey) {
		return v
	}
	return v.With(exploreKey, withClock(g))
}

// exploration returns the declared probability of exploring.
func exploration(v param.Values) Explore {
	v = withExploration(v)
	g := v.Group(exploreKey)
	if g.Has(linearKey) {
		l := g.Numbers(linearKey)
		return Explore{From: l[0], To: l[1], Rounds: l[2]}
	}
	return Explore{
		Constant: v.Float(exploreKey), Decay: g.Float(decayKey), Exponential: g.Float(exponentialKey), Harmonic: g.Float(harmonicKey),
		From: g.Float(fromKey), To: g.Float(toKey), Clock: declaredClock(g),
	}
}
