// Package compare finds where two documents differ: the first place, streaming, or all
// that changed between two results by the names that their parts have. Bytes in, values
// out.
package compare
