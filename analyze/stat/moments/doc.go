// Package moments accumulates counts, means and centred cross-products in one
// pass over column blocks.
//
// A block is centred before anything is squared, and two accumulators are
// joined by the update of Chan, Golub & LeVeque (1983, doi
// 10.1080/00031305.1983.10483115), so an offset of 10⁶ beside a spread of 1
// costs no digits. Every product that enters a sum is rounded on its own
// (written float64(x*y)), so fused multiply-add cannot change a result between
// processors.
//
// The arithmetic on tiles of rows is in package simd: in assembly where the
// processor has AVX, and in Go with the same bytes everywhere else.
//
// Results depend on where the blocks are cut and on the order in which
// accumulators are merged, in the last bits only, and on nothing else. A caller
// who wants the same bytes for every number of workers gives each fixed chunk
// an accumulator of its own and merges these in chunk order, also with one
// worker.
//
// # Rows that do not count
//
// NaN is not skipped: it would poison the sums it enters, which is what a
// caller who forgot about missing rewards should see. The caller leaves such
// rows out: by a negative arm index in the ByArm functions, or by the list of
// rows in AddBlock.
package moments
