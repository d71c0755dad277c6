// Package simd is the arithmetic of moments and second passes on tiles of
// columns, of weighted scores, and of what takes logarithms row by row: bets and
// predictors. There is one kernel in assembly, for processors with AVX (AVX2 and FMA
// where logarithms or exponentials are taken), and one in Go. They agree bit for bit:
// logarithms and exponentials equal the results of package math on this architecture; where
// the rows of a tile are summed, both keep four lanes, lane k taking the rows k, k+4, k+8,
// …, round every product before it is added, and join the lanes as (lane 0 + lane 1) +
// (lane 2 + lane 3). (Where a result is NaN, its payload may differ.)
//
// The assembly looks at no length and no index. Callers check what comes from
// outside before they call a kernel. It is written by generate.go; build with
// the tag noasm to leave it out.
package simd
