package role

import "banditaudit/ingest/cell"

// experiment names the experiment of a row, where one log has several.
func experiment() Column {
	return Column{
		Role: Experiment, Path: "experiment.column", Pass: Both, Labels: true,
		Fit: labels(), Refine: wholeLabels,
		Names: Vocabulary{
			Whole: []string{"experiment", "experiment id", "experiment name", "exp", "exp id", "study", "study id", "trial id", "campaign id", "test id", "test name"},
			Parts: words("experiment"),
			Never: words("arm group bucket variant ts time"),
		},
	}
}

// labels is the Fit of labels.
func labels() Fit {
	return Fit{flat(), cell.IsLabel, "labels are whole numbers, text, booleans or dates, one per row", "cast it to VARCHAR, or take one element of it in SQL"}
}
