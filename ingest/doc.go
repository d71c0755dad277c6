// Package ingest turns Parquet logs into a tableau. Package logfile writes such
// logs.
//
// # From log to tableau
//
// files.Discover finds the files, Ingest reads them by column pages in bounded
// memory, applies the protocol's mapping of columns to roles and its rules,
// puts the rounds in order and writes rounds.arrow and manifest.json.
// tableaudir.Open opens what Ingest wrote. Inspect says, from the files' footers alone, what
// each column would turn into; guess.Guess, from a bounded sample of rows, which
// column may have which role. Faults come from package fault.
//
// Every value that is used is looked at. What a rule refuses does not stop the
// scan: all files are read to their end, and one error reports every rule that
// was broken, with the number of rows, the first of them, and what to do. No
// reward, context, propensity or order value is ever part of a message; names
// of columns and files are, and so are labels of arms and of categorical
// levels that the protocol does not declare.
//
// Several goroutines decode the columns of a row group, ahead of the one that
// applies the rules and writes; with Options.Jobs of 1 there is only that one.
// Rows come in the same order, and faults are found in it, whatever the number.
//
// # Rows, files and order
//
// Inputs are taken in order of their URI, bytewise. A row is named by its file
// and its number within the file, counted from 0 as DuckDB's file_row_number
// does; its row group is counted from 0 too. Rounds are ordered by experiment,
// then by the protocol's order columns compared in turn: numbers, dates and
// times by value (a false sorts before a true), text bytewise. Experiments
// come in the order of their ids: as numbers where every id is a whole number of 64
// bits, bytewise otherwise. The round number is 1 for an experiment's first row and
// increases by 1.
//
// Logs that are in order already stream: a first pass over the experiment and
// order columns finds that out, a second reads everything once. Logs that are
// not are sorted in memory, within Options.MaxMemory.
//
// # Columns of many files
//
// A column is one of the file's own; else a directory named key=value above the
// file. A file that has neither is refused, whatever the column's role: absent is
// not null. Files may have their columns in any order and of different types. Labels
// and numbers are read as each file has them: 7 and "7" are one arm. Text goes with
// whole numbers, dates and times as labels of one column; booleans go with nothing
// else, nor do numbers with dates. What has to compare, the order and reward_order,
// is brought to one scale, in partitions as in files: times to the
// finest unit, decimals and whole numbers to the finest scale, where a value
// that leaves 64 bits is a fault of its row. Instants and local times, dates and
// timestamps, text and numbers, floats and whole numbers do not compare, and are
// refused with both files and both types.
//
// # Labels, numbers and lists
//
// Labels name experiments, arms, levels, batches and units. They are texts
// (enums, UUIDs and binaries in UTF-8 too), whole numbers (decimals of scale 0
// too), booleans, which are "true" and "false", and dates, which are written as
// 2026-11-01; batches may be timestamps as well, and units any bytes. A value and
// its text are one label, so that files may differ in the type of a column. A
// float is no label, because its text is not one thing. An empty text is a level,
// a batch or a unit like any other, but no arm and no experiment.
//
// Numbers are booleans (0 and 1), integers that float64 holds exactly, floats of
// any width, and decimals, which become the nearest float64. All of them are
// finite. A column by arm is a list with an entry for each arm, in the order of
// the declared arms; where the protocol declares none, such a column is refused,
// because the labels need not have the order of the lists.
//
// # What null means
//
// A null reward is missing: a fault, or, where log.missing_reward says how it
// came to be missing, NaN in the tableau, counted by experiment and arm. A NaN
// in the log is always a fault. A null list of all arms' rewards is a missing
// reward of every arm. Null eligible arms are all arms. A null in reward_order
// is a reward that never became known. The rows with these two are counted too, by
// experiment and arm. Every other null is a fault, and so is a
// null within a list.
//
// # Hostile files
//
// A log is an untrusted file. See package pages for what is checked; whatever
// is wrong with one is an *InputError that names the file, the row group and
// the column, or ErrResource where reading it would take more memory than is
// allowed.
package ingest
