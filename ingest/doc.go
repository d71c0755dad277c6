// Package ingest turns Parquet logs into a tableau, and simulated rounds into
// Parquet logs.
//
// # From log to tableau
//
// Discover finds the files, Ingest reads them by column pages in bounded
// memory, applies the protocol's mapping of columns to roles and its rules,
// puts the rounds in order and writes rounds.arrow and manifest.json. Open
// opens what Ingest wrote. Inspect says, from the files' footers alone, what
// each column would turn into.
//
// Every value that is used is looked at. What a rule refuses does not stop the
// scan: all files are read to their end, and one error reports every rule that
// was broken, with the number of rows, the first of them, and what to do. No
// reward, context, propensity or order value is ever part of a message; names
// of columns and files are, and so are labels of arms and of categorical
// levels that the protocol does not declare.
//
// # Rows, files and order
//
// Inputs are taken in order of their URI, bytewise. A row is named by its file
// and its number within the file, counted from 0 as DuckDB's file_row_number
// does; its row group is counted from 0 too. Rounds are ordered by experiment,
// then by the protocol's order columns compared in turn: numbers, dates and
// times by value (a false sorts before a true), text bytewise. Experiments
// come in the order of their ids: as numbers where every id is a whole number,
// bytewise otherwise. The round number is 1 for an experiment's first row and
// increases by 1.
//
// Logs that are in order already stream: a first pass over the experiment and
// order columns finds that out, a second reads everything once. Logs that are
// not are sorted in memory, within Options.MaxMemory.
//
// # Hostile files
//
// A log is an untrusted file. See package pages for what is checked; whatever
// is wrong with one is an *InputError that names the file, the row group and
// the column, or ErrResource where reading it would take more memory than is
// allowed.
package ingest
