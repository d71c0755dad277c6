package check

import "banditaudit/schemas"

// h13 would look at each arm's rewards over time.
func h13() Check {
	return Check{ID: "H13", Title: "reward drift by arm", Run: runH13}
}

func runH13(_ *Facts, c *schemas.Check) {
	c.Status, c.Detail = schemas.CheckNotRun, "This version does not have it."
}
