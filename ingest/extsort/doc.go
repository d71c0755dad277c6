// Package extsort sorts records of bytes that do not fit in memory.
//
// A record is a key and a payload. Keys compare as bytes do, and the encoders
// of this package (AppendInt64, AppendText, AppendUint) write
// values so that their bytes compare as the values do. The sort is stable:
// records of equal keys come out in the order in which they were added, so that
// equal input gives equal output, however small the memory.
//
// While the records fit in Config.Memory they stay there. When they do not, they
// are sorted and written, one run after the other, to one temporary file, and
// Sort merges the runs; where there are more than can be merged at once, in
// several passes. The file has no name: it is removed from its directory as
// soon as it is open, so that a process that is killed leaves nothing.
//
// Input that is sorted already costs a comparison per record: a run that begins
// where the one before it ended continues it, and one run needs no merge.
package extsort
