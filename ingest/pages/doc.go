// Package pages reads columns of a Parquet file, page by page, in bounded
// memory. It knows nothing of bandits.
//
// # Why not a ready-made reader
//
// A log is an untrusted file, and memory must stay bounded whatever it claims.
// The Thrift decoder under parquet-go allocates lists by their claimed length
// and recurses as deep as the input says; its page reader trusts the lengths of
// runs and lets codecs grow their output; each of these can be made to exhaust
// memory or the stack by a file of a few bytes, which no recover survives. So
// this package walks the Thrift bytes first, with a limit on depth and counts,
// before parquet-go decodes the footer and the page headers; it inflates into
// buffers of the claimed size and no further; and it decodes values as streams,
// a block of rows at a time, so that a page that claims two thousand million
// values costs no more memory than one that has ten.
//
// # What is read
//
// Data pages of version 1 and 2; the encodings PLAIN, RLE_DICTIONARY and
// PLAIN_DICTIONARY, RLE (booleans and levels), DELTA_BINARY_PACKED,
// DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY and BYTE_STREAM_SPLIT; the codecs
// uncompressed, snappy, gzip, brotli, zstd and lz4_raw. Page checksums are
// verified where a page has one. Columns are flat, at the top level or inside
// structs (by dotted path), or lists of one level, in the three-level form and
// in the older two-level and bare repeated forms.
//
// Errors are *FormatError, which names row group and column, or wrap ErrLimit
// where the budget of memory would be exceeded.
package pages
