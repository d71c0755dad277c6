// Package param says what a policy and a counter are to a protocol: which keys
// they have of their own, what the value of a key may be, and what else of a
// declaration follows from them. A policy or a counter describes itself with
// these types in its own file, and the reader of protocols, their JSON Schema,
// the help, simulate and the replay read that description. The package knows
// numbers and words; it knows no data and no name of a policy.
package param
