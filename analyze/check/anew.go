package check

import "banditaudit/schemas"

// AnewWords restrict, behind how often an honest log is accused of its draws, what
// that holds for where no unit is declared, and name the mend.
const AnewWords = "if every round was drawn anew, as it counts where log.unit is not declared: where a user, session or page keeps its arm for several rounds, an honest log is accused too; then name that in log.unit, and declare policy.draw: {by: unit}"

// AnewSentence is AnewWords behind a check that convicts.
const AnewSentence = schemas.LevelHolds + AnewWords + "."

// anewWords are AnewSentence where no unit is declared; else "".
func (f *Facts) anewWords() string {
	if f.Units != nil {
		return ""
	}
	return AnewSentence
}
