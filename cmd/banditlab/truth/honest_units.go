package truth

import (
	"fmt"
	"reflect"
	"slices"
)

// units are users who are drawn once and keep their arm, as every platform does
// it: some of the kinds say so in policy.draw, and one leaves it open.
func units() []Honest {
	weights := []float64{.5, .3, .2}
	var out []Honest
	for _, size := range []struct {
		each, units int
		before      string
	}{{10, 400, "7 of 24 VIOLATED"}, {40, 200, "12 of 12 VIOLATED"}} {
		deploy := func(run int64) *Log { return visits(run, size.each, size.units, weights, true) }
		add := func(name, text, log, draw string, deploy func(run int64) *Log) {
			out = append(out, Honest{
				Name: fmt.Sprintf("%d rounds a unit%s", size.each, name), Item: 15, Before: size.before, Text: text,
				Protocol: head("units", 3, log) + "policy: {name: fixed, probabilities: [0.5, 0.3, 0.2]" + draw + "}\n",
				Deploy:   deploy,
			})
		}
		const p, unit = "propensity: p, propensity_by_arm: all", ", unit: user"
		add("", "one draw a user, who keeps the arm; log.unit is declared, policy.draw is not", p+unit, "", deploy)
		add(", by unit", "the same logs, with policy.draw: {by: unit}", p+unit, ", draw: {by: unit}", deploy)
		add(", by round", "as many rounds a user, every one drawn anew, with policy.draw: {by: round}", p+unit, ", draw: {by: round}", func(run int64) *Log {
			return visits(run, size.each, size.units, weights, false)
		})
		if size.each > 10 {
			continue
		}
		add(", played arm's p", "the same, where the propensity of the action alone is logged", "propensity: p"+unit, ", draw: {by: unit}", deploy)
		add(", no p", "the same, where no propensity is logged", "unit: user", ", draw: {by: unit}", deploy)
		add(", no column", "the same, with policy.draw: {by: unit} and no column of the users", p, ", draw: {by: unit}", deploy)
		out = append(out, learnedUnits(size.each, size.units)...)
	}
	return slices.Concat(out, anewUnits(), keptUnits())
}

// anewUnits are users of some ten rounds who are drawn anew in each, declared so:
// with the same odds in all rounds, and by a softmax that learns after every 200.
func anewUnits() []Honest {
	var out []Honest
	for _, k := range []int{2, 5} {
		even := make([]float64, k)
		for i := range even {
			even[i] = float64(2+i) / float64(k*(k+3)/2)
		}
		add := func(name, log, policy string, learns bool) {
			out = append(out, Honest{
				Name: fmt.Sprintf("%d arms by round, %s", k, name), Item: 15, Before: "–",
				Text:     fmt.Sprintf("%d arms, 400 users of some 10 rounds each, every one drawn anew (%s), with policy.draw: {by: round}", k, name),
				Protocol: head("anew", k, log+", unit: user") + policy,
				Deploy:   func(run int64) *Log { return anew(run, 400, 4000, even, learns) },
			})
		}
		const softmax = "policy: {name: softmax, eta: 0.01, update: {every: 200}, draw: {by: round}}\n" + exact
		add("same odds", "propensity: p, propensity_by_arm: all", "policy: {draw: {by: round}}\n", false)
		add("same odds, played arm's p", "propensity: p", "policy: {draw: {by: round}}\n", false)
		add("learned", "propensity: p, propensity_by_arm: all", softmax, true)
		add("learned, played arm's p", "propensity: p", softmax, true)
	}
	return out
}

// anew are rounds of users who come in any order, and are drawn in each.
func anew(run int64, units, rounds int, p []float64, learns bool) *Log {
	d := newDeployment(run)
	k := len(p)
	now, unit := make([]float64, k), make([]int64, 0, rounds)
	for t := range rounds {
		if learns && t%200 == 0 {
			p = softmax(.01, now, nil)
		}
		arm := d.pick(p)
		y := d.coin(spread(k)[arm])
		now[arm] += y
		d.chosen(arm, p, y)
		unit = append(unit, d.draw.Int64N(int64(units)))
	}
	return d.log(labels(k)...).Put("user", unit)
}

// keptUnits are users who keep the arm of one draw while the odds stand still, of
// which nothing but the propensities is declared.
func keptUnits() []Honest {
	even := [][]float64{{.5, .5}}
	turned := [][]float64{{.5, .3, .2}, {.2, .3, .5}, {.5, .3, .2}}
	var out []Honest
	for _, c := range []struct {
		name, text, log string
		p               [][]float64
	}{
		{"by unit, no policy", "one draw a user, who keeps the arm; two arms, .5 each in all rounds", "propensity: p", even},
		{"by unit, drawn in each version", "users are drawn anew in each of three versions of the odds, of which the last has those of the first; the versions are in no column", "propensity: p, propensity_by_arm: all", turned},
		{"by unit, drawn in each version, played arm's p", "the same, where the propensity of the action alone is logged", "propensity: p", turned},
	} {
		out = append(out, Honest{
			Name: "10 rounds a unit, " + c.name, Item: 15, Before: "–", Text: c.text + ", with policy.draw: {by: unit}",
			Protocol: head("kept", len(c.p[0]), c.log+", unit: user") + "policy: {draw: {by: unit}}\n",
			Deploy:   func(run int64) *Log { return versioned(run, 400, 4000, c.p) },
		})
	}
	return out
}

// versioned are rounds of users who are drawn once in each of several versions of
// equal length.
func versioned(run int64, units, rounds int, versions [][]float64) *Log {
	d := newDeployment(run)
	k := len(versions[0])
	unit, of := make([]int64, 0, rounds), map[int64]int{}
	for t := range rounds {
		if t*len(versions)%rounds < len(versions) {
			clear(of)
		}
		p := versions[t*len(versions)/rounds]
		u := d.draw.Int64N(int64(units))
		arm, ok := of[u]
		if !ok {
			arm = d.pick(p)
			of[u] = arm
		}
		d.chosen(arm, p, d.coin(spread(k)[arm]))
		unit = append(unit, u)
	}
	return d.log(labels(k)...).Put("user", unit)
}

// visits are rounds of users who come in any order. One who keeps the arm is drawn
// once.
func visits(run int64, each, units int, weights []float64, keep bool) *Log {
	d := newDeployment(run)
	unit, of := make([]int64, 0, each*units), map[int64]int{}
	for range each * units {
		u := d.draw.Int64N(int64(units))
		arm, ok := of[u]
		if !ok || !keep {
			arm = d.pick(weights)
			of[u] = arm
		}
		d.chosen(arm, weights, d.coin(spread(3)[arm]))
		unit = append(unit, u)
	}
	return d.log(labels(3)...).Put("user", unit)
}

// learning are rounds of users and a softmax that learns after every 200 rounds. A
// user who keeps the arm is drawn once, whatever it learns.
func learning(run int64, each, units int, eta float64, keep bool) *Log {
	const every = 200
	d := newDeployment(run)
	var unit, batch []int64
	var seen [][]float64
	now, sums, of := make([]float64, 3), make([]float64, 3), map[int64]int{}
	for t := range each * units {
		if t%every == 0 {
			sums = slices.Clone(now)
		}
		u, p := d.draw.Int64N(int64(units)), softmax(eta, sums, nil)
		arm, ok := of[u]
		if !ok || !keep {
			arm = d.pick(p)
			of[u] = arm
		}
		y := d.coin(spread(3)[arm])
		now[arm] += y
		d.chosen(arm, p, y)
		unit, batch, seen = append(unit, u), append(batch, int64(t/every)), append(seen, sums)
	}
	return d.log(labels(3)...).Put("user", unit).Put("version", batch).Put("sums", seen)
}

// ofDraws has the propensities of each user's first round in all rounds of the user.
func (l *Log) ofDraws() *Log {
	first, users := map[int64]int{}, reflect.Value{}
	for _, c := range l.columns {
		if c.name == "user" {
			users = c.values
		}
	}
	for row := range l.Rows() {
		user := users.Index(row).Int()
		if _, ok := first[user]; !ok {
			first[user] = row
		}
		for _, c := range l.columns {
			if c.name == "p" || c.name == "all" {
				c.values.Index(row).Set(c.values.Index(first[user]))
			}
		}
	}
	return l
}

// learnedUnits are users who are drawn once, and keep their arm whatever the policy
// learns; and users who are drawn anew in each round, where no propensity is logged.
func learnedUnits(each, units int) []Honest {
	deploy := func(run int64) *Log { return learning(run, each, units, .005, true) }
	var out []Honest
	for _, c := range []struct{ name, columns, draw string }{
		{"learned", "propensity: p, propensity_by_arm: all", ", draw: {by: unit}"},
		{"learned, open", "propensity: p, propensity_by_arm: all", ""},
		{"by released values", "released_by_arm: sums, propensity: p", ", draw: {by: unit}"},
		{"by released values, open", "released_by_arm: sums, propensity: p", ""},
	} {
		out = append(out, Honest{
			Name: fmt.Sprintf("%d rounds a unit, %s", each, c.name), Item: 15, Before: "–",
			Text:     "one draw a user, who keeps the arm while the policy learns, declared so; open: policy.draw is not declared",
			Protocol: head("units", 3, c.columns+", unit: user, batch: version") + "policy: {name: softmax, eta: 0.005, update: batch" + c.draw + "}\n" + exact,
			Deploy:   deploy,
		})
	}
	for _, c := range []struct{ name, columns, draw string }{
		{"learned, p of the draw", "propensity: p, propensity_by_arm: all", ", draw: {by: unit}"},
		{"learned, p of the draw, open", "propensity: p", ""},
	} {
		out = append(out, Honest{
			Name: fmt.Sprintf("%d rounds a unit, %s", each, c.name), Item: 15, Before: "13 of 13 VIOLATED; 3 of 3 where it is open",
			Text:     "one draw a user, who keeps the arm while the policy learns; what is logged in all rounds of a user are the propensities of that draw",
			Protocol: head("units", 3, c.columns+", unit: user, batch: version") + "policy: {name: softmax, eta: 0.02, update: batch" + c.draw + "}\n" + exact,
			Deploy:   func(run int64) *Log { return learning(run, each, units/4, .02, true).ofDraws() },
		})
	}
	return append(out, Honest{
		Name: fmt.Sprintf("%d rounds a unit, by round, by released values", each), Item: 15, Before: "–",
		Text:     "every round drawn anew by a policy that learns, declared so; the sums that it saw are logged, and no propensity",
		Protocol: head("units", 3, "released_by_arm: sums, unit: user, batch: version") + "policy: {name: softmax, eta: 0.005, update: batch, draw: {by: round}}\n" + exact,
		Deploy:   func(run int64) *Log { return learning(run, each, units, .005, false) },
	})
}
