// Package policy holds the selection functions f_t of bandits, one per file:
// plain numbers in, an arm out. A policy sees counts of actions, released sums
// of rewards and contexts; it never sees a reward, and whether a released sum
// is exact or noisy is not its business.
//
// A policy value belongs to one run and is not safe for concurrent use. What
// it draws for its own choices comes from the source that it was built with
// and from nowhere else.
//
// # Add a policy
//
// A policy is a file NAME.go: a type with the five methods of Policy (the methods of Linear
// where it reads contexts, Weights of Weighing where a reward counts by the round in which
// it was earned), and its Descriptor: keys with their forms, what it reads and compares,
// the loss of a decision by exact sums, what simulate starts from, its constructor. It is
// one line of All. Tests fail by name where one of these is missing:
//
//   - a specimen in each (properties_test.go), in started (descriptor_test.go) and in declarable
//     (replay/replays_test.go); values of a new key in replay/rules_test.go; a line of ExampleAll
//   - with a loss or a CrossArmEffect a line in pathwisePairs (replay/pathwise_test.go), which
//     enumerates that the ledger bounds the truth
//   - values of a field of State that no policy has read, in inContext (properties_test.go)
//   - a declaration in neighbourly (replay/neighbours_test.go) where a key has a Near
//   - a run of a second program in testdata/reference/policies.py, declared in policiesInPython
//     (replay/policies_reference_test.go)
//   - MECHANISMS.md and CALIBRATION.md written again (testdata/README.md), its lines of
//     topics/policies.md, drawnPolicies in schemas/accepted_test.go, the loop of
//     testdata/frozen/compare.sh, the messages that list policies in schemas/rules_policy_test.go
//     and format_test.go, and what a library's log of it says in testdata/clients/cases, with its
//     rows of CLIENTS.md
//
// Two facts of a Descriptor enter the ledger. Loss bounds what one decision by exact sums gives
// away of one row; nil says that no bound is known. CrossArmEffect says that a change of one
// reward moves all later decisions that play its arm one way and all others the other way, so
// that only the larger of the two sums counts (replay/ledger/path.go): claim it only with the
// enumeration in pathwisePairs; false is always safe. NoFloor has simulate log the propensities
// of all arms. Unbounded says that the policy is defined, as it is, for rewards outside the
// range; nil is always safe. Exact of param.Policy names the key because of which only exact sums
// will do: the rules then refuse a counter with noise. Tunable are the keys of which an
// explanation of a log that does not match tries other values (refit.go).
//
// A dialect that several policies share (a clock, a start, an opening, ties) is an option of
// their descriptors: clockKeys, startKeys, openingKey, declaredRule. Whoever adds one adds a
// specimen, a run of policies.py, a setting of cmd/banditlab/dialects with its rows of
// DIALECTS.md, a library in libraries or drawnBy (replay/conformance/dialects_test.go,
// law_test.go), and says what it does to Loss. A policy that needs more of a row than its reward
// gets it from the round that was played: the runner asks for Feature and Weights there and keeps
// what they say as long as the reward is held (replay.Mechanism.Weighs, WeighAs).
//
// What decides an action is made of + − × ÷ √ and the Ln and Exp of package bitexact, without
// fused operations, and the doc comment gives every operation and draw in order, so that another
// program can replay a seed.
//
// A kind of floor is a value of FloorKinds with its word in param.FloorKinds: what it makes of
// propensities, and what is proved of it (least probability, loss of a decision, how much it
// keeps of the policy's own). Its bounds are tested over random laws (floor_kinds_test.go) and
// enumerated (pathwisePairs); whether shares of draws can be seen through it stands in
// replay/evidence/shares/floor.go. A policy of a library is a line of Libraries: what it fills
// in, as the library's code was read or run; its parameters stand in besideLikes
// (schemas/like_test.go).
package policy
