// Package paper runs the experiments of Neel and Roth, Mitigating Bias in
// Adaptive Data Gathering via Differential Privacy (ICML 2018), again, and holds
// what the paper prints against what comes out.
//
// Every policy is one that this project audits with: a setting is a protocol, built by package
// replay. What the paper describes and no protocol can declare is simulated apart, in a file
// that says so. The paper names no width of its UCB, no law of its rewards, no δ and no base of
// its logarithms; a setting says what was assumed in their stead. That a printed figure is not
// reproduced is a statement about the settings named beside it.
//
// # Randomness
//
// Replication i of a setting has streams of its own, ChaCha8 with the key
// replay.Key(seed, purpose, experiment/setting/i, arm), for the policy's noise
// and ties as for the world, so that results depend neither on the order of
// replications nor on how many run at a time.
package paper
