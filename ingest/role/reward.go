package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
)

// reward is the reward of the arm that was played.
func reward() Column {
	return Column{
		Role: Reward, Private: true, Outcome: true,
		Asked: asked(Reward),
		Fit:   Fit{flat(), cell.IsNumber, "a reward is a boolean or a number, one per row", "cast it to DOUBLE"},
		Refine: func(w *Want, c *pages.Column, f Fit) Fit {
			if c.Depth == 0 && c.Kind == pages.Text {
				f.Mend = "write a condition that is true or false, such as " + SQLName(w.Name) + " = 'yes', or cast it to DOUBLE"
			}
			return f
		},
		Becomes: func(b *Becoming) string { return "reward (" + b.reward() + ")" },
		Names: Vocabulary{
			Whole: []string{"reward", "y", "click", "clicks", "clicked", "is click", "conversion", "converted", "purchase", "purchased", "bought", "outcome", "success", "response", "responded", "payoff", "target", "revenue", "opened"},
			Parts: words("reward clicked click converted conversion purchased purchase outcome success payoff revenue"),
			Never: words("ts time timestamp at date id order noisy released sum sums rate ctr prob count history previous prior last lag"),
		},
	}
}
