// Package report renders schemas.Results for people and for warehouses:
// report.md and report.html, the figures as SVG and the tables as Parquet.
//
// Every renderer is a pure function of the results. It computes no statistic,
// reads no clock, file or environment, and writes the same bytes for the same
// results. The Markdown and the HTML come from one document model (document.go),
// so that they say the same sentences in the same order; one file holds one
// section.
//
// # What a reader can rely on
//
// Text shows 4 significant digits (privacy parameters and bounds are rounded
// up), results.json holds full precision, and every table names the JSON
// pointer of its rows. In HTML each number carries its pointer as title and
// each row carries it as id.
//
// Text that came from a log (labels, ids, column names, messages that quote
// them) is escaped in every format, and characters that could hide or reorder
// text are printed as their code points: ⟨U+202E⟩. The HTML has no scripts,
// loads nothing, and holds its figures and its style sheet inside.
package report
