// Package programreplay asks a policy that is a program what it plays on a logged experiment: it
// says what the program is shown of a round and when it is shown a reward, and runs it again
// with other rewards. It knows nothing of what was logged beside: whether the answers agree
// with the log is for others to say.
package programreplay
