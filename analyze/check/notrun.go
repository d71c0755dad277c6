package check

import "banditaudit/schemas"

// notRun is a check that this log, or this version, gives no means for.
func notRun(id, title, expected, detail string) schemas.Check {
	return schemas.Check{ID: id, Title: title, Expected: expected, Status: schemas.CheckNotRun, Detail: detail}
}

// H13 would look at each arm's rewards over time.
func H13(*Facts) schemas.Check {
	return notRun("H13", "reward drift by arm", "", "This version does not have it.")
}
