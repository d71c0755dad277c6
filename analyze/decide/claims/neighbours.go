package claims

import "banditaudit/schemas"

// Neighbours is what a check of neighbouring rounds found of the rewards.
type Neighbours struct {
	Looked bool    // the check was run
	Z      float64 // its statistic
	Depend bool    // rewards follow the rewards of the rounds just before them
	Copied bool    // the log repeats itself (check H02)
}

// rowsStatus judges A2: rows are independent.
func (n *Neighbours) rowsStatus() string {
	switch {
	case n.Depend, n.Copied:
		return schemas.MeansContradicted
	case n.Looked:
		return statusPartly
	}
	return statusUncheck
}

// rowsChecked says what checked A2, by its status.
func rowsChecked(status string) string {
	const units = "one round is taken as one independent row where log.unit does not say otherwise"
	switch status {
	case schemas.MeansContradicted:
		return "contradicted: a check of neighbouring rounds found rewards that follow those just before them, and what takes rows as independent decides no mean, and no record changes places; or the log repeats itself (H02), and no method decides; " + units
	case statusPartly:
		return "a check of neighbouring rounds found nothing; dependence at longer distances passes unseen, and so do repeats of some rows (H02 looks for logs that repeat themselves); " + units
	}
	return "declared: no check was run of rows that depend on each other, as where no mean is tested and no policy is run again, nor of repeats of some rows (H02 looks for logs that repeat themselves); " + units
}
