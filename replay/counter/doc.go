// Package counter holds mechanisms that release the running sum of a stream of
// rewards, one per file, and knows what each costs. One stream belongs to one
// arm; a Bank holds the streams of all arms of one run.
//
// Rewards enter rescaled to [0,1]. The noise is always on the sum: a policy
// that wants a mean divides the released sum by the public count.
//
// # The counters
//
// With ε as declared, horizon T, L = ⌊log2 T⌋ + 1, k = ⌊log2 n⌋, r = n − 2^k
// and rewards or features of sensitivity 1 (a sensitivity of Δ multiplies every
// scale by Δ):
//
//	          released                    noise in a sum of n rows          a row costs at most
//	exact     every running sum           none                              ∞
//	laplace   every running sum,          n × Lap(1/ε)                      ε
//	          of rows released once
//	binary    every running sum, n ≤ T    popcount(n) × Lap(L/ε)            ε
//	hybrid    every running sum           (k+1) × Lap(2/ε) and              ε
//	                                      popcount(r) × Lap(2k/ε)
//	tree      every running sum, n ≤ T    Σ_j |d_j| × Lap(h/ε), d_j the     ε
//	                                      h signed digits of n in an odd base
//	interval  the running sum after       1 × Lap(n^{v/2})                  Σ (jf)^{−v/2} over
//	          f, 2f, … ≤ T rows,                                            jf ≤ T, whatever ε
//	          f = ⌈1/ε⌉
//	epochs    the sum of rows 2^e …       1 × Lap(1/ε)                      ε
//	          2^{e+1}−1 alone
//
// Between releases the last one stands, and the rows that are in it are
// reported with it. Noise is drawn once, when a release is made. Each type's
// comment has its definition, order of draws and source; its Cost says what row
// n of a stream of N rows has cost, which is less than the maximum for most
// rows.
//
// Vectors are d streams, one per coordinate, each with the scalar's noise for
// the sensitivity max ‖φ‖₁: one row moves all of them together by that much in
// ℓ1 norm, so a release of d values costs it what a release of one value costs
// a scalar.
//
// # The lattice
//
// A private counter works on integers. With the grid g = 2^-m every reward is
// rounded first, alone, to Y = round(y·2^m), ties to even; sums of Y are
// int64; one row moves a sum by at most Δ = 2^m units. Rounding each row
// before the sum is what keeps the sensitivity at exactly 2^m.
//
// # The noise
//
// The discrete Laplace law with parameter t/s (t, s positive integers without
// common factor) is
//
//	P(n) = ((1−q)/(1+q))·q^|n|,   q = e^{−s/t},   n any integer.
//
// A node that may spend the loss ε_v has t/s = 2^m/ε_v, so that one row moves
// the log-probability of any released value by at most ε_v, exactly as with a
// continuous Laplace variable of scale 1/ε_v on the reward scale. It is drawn
// by the integer algorithm of Canonne, Kamath and Steinke (The discrete
// Gaussian for differential privacy, 2020, arXiv:2004.00010, algorithm 2); no
// float takes part. The steps, in the order in which they take words from the
// stream, so that another program can draw the same noise:
//
//	uniform(n), n ≥ 1: the number 0 when n = 1, and nothing is drawn; otherwise
//	    take one 64-bit word, keep its bits.Len64(n−1) low bits, and repeat
//	    until the number is below n
//	expBernoulli(u, t), 0 ≤ u ≤ t: K ← 1; while uniform(t·K) < u: K ← K+1;
//	    true if and only if K is odd             — true with probability e^{−u/t}
//	laplace(t, s):
//	    1. U ← uniform(t); unless expBernoulli(U, t) start again at 1
//	    2. V ← 0; while expBernoulli(1, 1): V ← V+1
//	    3. Y ← ⌊(U + t·V)/s⌋, computed with 128 bits
//	    4. B ← uniform(2); if B = 1 and Y = 0 start again at 1
//	    5. the result is Y when B = 0 and −Y when B = 1
//
// (In expBernoulli(1, 1) the first comparison, uniform(1) < 1, holds without a
// draw.) No tail is cut: a V above 2^20, a Y of 2^54 or more, or a K above 255,
// ends the run with an error instead of a number, and so does a sum of 2^62 or
// more. New accepts only parameters for which that has probability below
// e^{−250} per draw.
//
// A seeded stream makes noise that is reproducible and therefore not private:
// whoever has the seed has the rewards.
//
// # Add a counter
//
// A counter is a file NAME.go: a Counter (its law with Cost and Levels, noise, shapes, capacity,
// banks of streams) and its Descriptor (noise, horizon, how it differs from others). It is one
// line of All, with its spec in noisy (law_test.go), a run in testdata/reference/counters.py, and
// MECHANISMS.md written again.
package counter
