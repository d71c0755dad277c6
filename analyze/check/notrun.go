package check

import "banditaudit/schemas"

// notRun is a check that this log, or this version, gives no means for.
func notRun(id, title, expected, detail string) schemas.Check {
	return schemas.Check{ID: id, Title: title, Expected: expected, Status: schemas.CheckNotRun, Detail: detail}
}

// H07 would find units that met several arms within a batch.
func H07(*Facts) schemas.Check {
	return notRun("H07", "one unit in several arms of a batch", "0", "Needs log.unit and log.batch, which this version does not read.")
}

// H10 would compare changes of the propensities with the declared schedule.
func H10(*Facts) schemas.Check {
	return notRun("H10", "propensities change on schedule", "only at updates", "Needs log.batch or an update schedule, which this version does not read.")
}

// H13 would look at each arm's rewards over time.
func H13(*Facts) schemas.Check {
	return notRun("H13", "reward drift by arm", "", "This version does not have it.")
}

// H11 says whether rewards are missing, by arm. Under missing_reward: error a
// log with a missing reward is refused, so none is.
func H11(*Facts) schemas.Check {
	return schemas.Check{ID: "H11", Title: "missing rewards by arm", Observed: "0 rows", Expected: "0 rows", Status: schemas.CheckPass, Detail: "missing_reward: error refuses a log with one."}
}
