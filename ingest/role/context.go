package role

import (
	"fmt"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// context is a flat column of the context, of numbers or of declared levels.
func context() Column {
	return Column{
		Role: Context,
		Asked: func(p *schemas.Protocol) []Want {
			var all []Want
			for _, c := range p.Log.Context.Columns {
				all = append(all, Want{Name: c.Column, Context: c})
			}
			return all
		},
		Fit: Fit{flat(), cell.IsNumber, "a context is a boolean or a number, one per row", "declare its levels, or cast it to DOUBLE; a context that is a list is declared as {list: "},
		Refine: func(w *Want, c *pages.Column, f Fit) Fit {
			if len(w.Context.Levels) > 0 {
				f = Fit{flat(), cell.IsLabel, "a context with levels is text, a whole number, a boolean or a date, one per row", "cast it to VARCHAR, or declare it without levels"}
				return wholeLabels(w, c, f)
			}
			f.Mend += w.Name + "}"
			return f
		},
		Becomes: flatContext,
		Names:   ofContexts(),
	}
}

// contextList is a context that is one list.
func contextList() Column {
	return Column{
		Role:    ContextList,
		Fit:     Fit{list(), cell.IsNumber, "a list context is a list of numbers", "cast it, for instance CAST(column AS DOUBLE[]), or list flat columns in log.context"},
		Becomes: func(*Becoming) string { return "x0… (one for each value of the lists)" },
		Names:   ofContexts(),
	}
}

// contextByArm is a context of each arm.
func contextByArm() Column {
	return Column{
		Role: ContextByArm, ByArm: true,
		Fit:     Fit{[]int{2}, cell.IsNumber, "contexts by arm are a list of lists of numbers, one list for each arm", "cast it, for instance CAST(column AS DOUBLE[][])"},
		Becomes: func(b *Becoming) string { return b.key() + " (" + b.each() + ", a list each)" },
		Names:   ofContexts(),
	}
}

func ofContexts() Vocabulary {
	return Vocabulary{Whole: words("x context features embedding vector covariates"), Parts: words("features feature context embedding vector covariates")}
}

// flatContext says which columns of the tableau a flat context becomes.
func flatContext(b *Becoming) string {
	c, from := &b.Want.Context, b.contexts
	if len(c.Levels) == 0 {
		b.contexts++
		return fmt.Sprintf("x%d", from)
	}
	baseline := BaselineOf(c)
	rest := slices.DeleteFunc(slices.Clone(c.Levels), func(l string) bool { return l == baseline })
	b.contexts += len(rest)
	switch len(rest) {
	case 0:
		return fmt.Sprintf("no column (%s is the only level)", listed([]string{baseline}))
	case 1:
		return fmt.Sprintf("x%d (%s; baseline %s)", from, listed(rest), listed([]string{baseline}))
	}
	return fmt.Sprintf("x%d…x%d (%s; baseline %s)", from, b.contexts-1, listed(rest), listed([]string{baseline}))
}
