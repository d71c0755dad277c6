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
// # How it is read fast
//
// Pages of a file that is mapped are read where they lie. Levels are looked at
// together: a page without nulls, and rows of lists of one length, cost one
// comparison of memory. What snappy could not compress is not inflated but found
// in place. Doubles and 64-bit integers are copied once, from there to the
// Block, or not at all where Block.View allows it. The buffers of a column are
// used again for its next row group. Bytes of a mapping may change while they
// are looked at: headers are copied before they are checked, lengths and indices
// are checked as they are used, and Guard turns the fault of a file that was cut
// into an error.
//
// # What is read
//
// Data pages of version 1 and 2; the encodings PLAIN, RLE_DICTIONARY and
// PLAIN_DICTIONARY, RLE (booleans and levels), DELTA_BINARY_PACKED,
// DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY and BYTE_STREAM_SPLIT; the codecs
// uncompressed, snappy, gzip, brotli, zstd and lz4_raw. Page checksums are
// verified where a page has one.
//
// Every physical type, INT96 included, and every logical type that a column of
// numbers, labels or times can have: integers, decimals in integers and in byte
// arrays of one length or of several, float16, strings, enums, JSON, UUIDs,
// dates, times, timestamps and the type of which all values are null; not
// intervals, BSON, variants and geometries.
//
// Columns are flat, at the top level or inside structs (by dotted path), lists,
// or lists of lists, in the three-level form, in the older two-level and bare
// repeated forms, and in mixtures of them, with nulls at every level.
//
// # What is refused
//
// A file that contradicts itself is damaged, even where it could be decoded: one
// bit of a footer can make definition levels of values. Thrift structures are held
// against the layout that the format gives them, names and types of columns
// against each other, levels and values against the bytes of their page, pages
// against the declarations of their column chunk, and values against the statistics of the
// chunk where these have a defined order and are whole. Schemas that Arrow and Spark keep
// in a footer are held against Parquet's. Column chunks may not overlap, and bytes between
// them may not hold a second file. What is left are bits that make another valid
// declaration of the same values, such as another unit of times that nothing else in the
// file names: testdata/bits.txt counts them.
//
// Errors are *FormatError, which names row group and column, or wrap ErrLimit
// where the budget of memory would be exceeded.
package pages
