package check

// ElseExamples are some of what an allocation can follow unseen by check H17, behind
// "for example": each was found to pass in a log in which the arms pay alike. There
// are more: no finite list of wagers sees everything.
const ElseExamples = "contexts two and more rounds back, contexts of the round before behind the first two, contexts and rewards of the unit's own earlier rounds, the number of its visit where units are not declared to be drawn anew, which of several arms came two rounds before, a reward before the last, tails of a context or of rewards together with another thing, any two things that it does not cross, three things together, or what is not logged"

// ElseWords stand behind whatever says what check H17 looked at.
const ElseWords = "An allocation that follows anything else passes, however strongly: for example " + ElseExamples
