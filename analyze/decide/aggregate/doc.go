// Package aggregate puts the outcomes of all experiments of a log together: claims and
// assumptions, the tests of all experiments as one family, and what only several
// experiments show.
package aggregate
