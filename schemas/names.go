package schemas

import (
	"slices"
	"strings"
)

// CheckNames reports what the names in a log with these arms and columns of the
// context leave open: arms that are called as words of the protocol, and tests or
// coefficients of which two would have one name. Where arms are declared the
// protocol's own checks have refused most of it. The problems have paths, and no
// places in a file.
func CheckNames(p *Protocol, arms, columns []string) Problems {
	var out Problems
	add := func(path, what, why, mend string) {
		out = append(out, Problem{File: "protocol", Path: path, What: strings.TrimSpace(path + " " + what), Why: why, Mend: mend})
	}
	for _, label := range arms {
		if slices.Contains(reservedLabels(), label) {
			out = append(out, Problem{File: "protocol", Path: "log.action", What: "log.action has the arm " + shown(label), Why: reservedWhy, Mend: reservedMend})
		}
	}
	sameCoefficients(p, arms, columns, add)
	sameIDs(p, arms, add)
	return out
}

// What is wrong with an arm that is called as a word that selects arms.
const (
	reservedWhy  = "that word selects arms in tests and claims, and cannot name one"
	reservedMend = "rename the arm in the log"
)

// report takes a problem with the value at a path.
type report func(path, what, why, mend string)

// sameCoefficients reports the regressions that would have two coefficients of
// one name. Nothing else tells them apart.
func sameCoefficients(p *Protocol, arms, columns []string, fail report) {
	for i := range p.Analysis.Regressions {
		r := &p.Analysis.Regressions[i]
		kept := columns
		if len(r.Columns) > 0 {
			kept = nil
			for _, name := range r.Columns {
				kept = append(kept, p.Log.Expand(name)...)
			}
			slices.Sort(kept)
			kept = slices.Compact(kept) // a column may be named twice, alone and with its levels
		}
		words := slices.Clone(kept)
		if r.Intercept == nil || *r.Intercept {
			words = append(words, InterceptName)
		}
		var heads, tails []string
		if r.Arms == ArmsPooled {
			for _, label := range besides(p, arms) {
				words, heads = append(words, "arm["+label+"]"), append(heads, "arm["+label)
			}
			if r.Interactions {
				tails = kept
			}
		}
		if name, _ := clash(words, heads, tails, "]:"); name != "" {
			fail(index("analysis.regressions", i), "has two coefficients of one name", "two coefficients would have this name: "+shown(name), "rename the column, or the arm, in the log")
		}
	}
}

// besides are the arms but the control.
func besides(p *Protocol, arms []string) []string {
	if len(arms) == 0 {
		return nil
	}
	control := Control(p)
	if control == "" {
		control = arms[0]
	}
	return slices.DeleteFunc(slices.Clone(arms), func(label string) bool { return label == control })
}

// sameIDs reports the tests that would have the id of another once those of
// each arm are called ID/LABEL.
func sameIDs(p *Protocol, arms []string, fail report) {
	var words, heads []string
	place := map[string]int{}
	for i := range p.Analysis.Tests {
		t := &p.Analysis.Tests[i]
		if _, twice := place[t.ID]; twice || t.ID == "" {
			continue // reported already
		}
		place[t.ID] = i
		if t.Arm == SelectEach {
			heads = append(heads, t.ID)
		} else {
			words = append(words, t.ID)
		}
	}
	if name, id := clash(words, heads, arms, "/"); name != "" {
		fail(index("analysis.tests", place[id])+".id", "is "+shown(id), "a test of each arm has the id ID/LABEL for every arm, and two tests would have this one: "+shown(name), "give it another id")
	}
}

// clash finds a name that two of the words and of the head+sep+tail have, and
// which word, or which longer head, makes it the second; "" where there is none.
// heads differ, and so do tails. The products are not made: there can be too many.
func clash(words, heads, tails []string, sep string) (name, second string) {
	seen := map[string]bool{}
	isHead, isTail := set(heads), set(tails)
	for _, word := range words {
		if seen[word] {
			return word, word
		}
		seen[word] = true
		for head, tail := range splits(word, sep) {
			if isHead[head] && isTail[tail] {
				return word, word
			}
		}
	}
	// Of two heads with one name the longer is the shorter, sep and some text, and
	// the tail of the shorter is that text, sep and the tail of the longer.
	longer := map[string]string{}
	for _, h := range heads {
		for head, between := range splits(h, sep) {
			if isHead[head] {
				longer[between] = h
			}
		}
	}
	for _, t := range tails {
		for between, tail := range splits(t, sep) {
			if h := longer[between]; h != "" && isTail[tail] {
				return h + sep + tail, h
			}
		}
	}
	return "", ""
}

func set(texts []string) map[string]bool {
	out := make(map[string]bool, len(texts))
	for _, text := range texts {
		out[text] = true
	}
	return out
}

// splits are the two sides of every sep in a text.
func splits(text, sep string) func(yield func(before, after string) bool) {
	return func(yield func(before, after string) bool) {
		for at := 0; ; at++ {
			i := strings.Index(text[at:], sep)
			if i < 0 {
				return
			}
			if at += i; !yield(text[:at], text[at+len(sep):]) {
				return
			}
		}
	}
}
