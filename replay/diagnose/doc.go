// Package diagnose looks for what would explain a log that is not as its protocol
// declares. A hypothesis is one thing that may have happened, such as another
// exploration floor, propensities of the update before, or an earlier schedule of
// updates. It is one file and one line of All, and nothing else knows its name.
//
// Two judges say how much of a log a hypothesis explains:
//
//	tolerance   (Replay)   the log does not have the propensities of the declared policy.
//	            A hypothesis makes other propensities for the same rows, and explains
//	            those rows whose logged propensities are the same within the tolerance
//	            of the replay (Tolerance). It fits where it explains all rows but one
//	            in a hundred, and more than the declared policy does.
//	likelihood  (Actions)  the actions do not follow the logged propensities. A hypothesis
//	            makes other propensities of the logged ones. It fits where the actions
//	            are more likely under them than as logged, and the test that contradicts
//	            the logged propensities rejects nothing.
//
// What both ask of propensities is a Law: a function from the propensities of a
// round to the propensities of another law. The laws of noise are compared in package
// noise, which knows numbers alone, by a smaller BIC than the declared law has.
//
// A hypothesis that fits is an explanation and not a finding: others may fit too.
//
// # Add a cause
//
// A cause is a file NAME.go: a Cause says what it makes of recomputed propensities (Replay,
// judged by tolerance), of actions (Actions, judged by likelihood), or of both; the law that both
// share is a Law. One that changes the declaration runs the replay again (Replay.run). It is a
// line of All, in the order in which causes are named where two explain as much. Its words stand
// in schemas/results_hypotheses.go, a log of it in replay/conformance/hypothesis_test.go; it fits only
// where it explains more than what was declared. Causes of noise are
// replay/noise/hypothesis_NAME.go, and their list is in explain.go there.
package diagnose
