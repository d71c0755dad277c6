// Package schemas holds every document that crosses a process boundary: the
// protocol an experimenter declares, the manifest of a tableau, the output of
// replay and the results of an audit, as strict Go types beside their JSON
// Schemas.
//
// The package imports nothing of this module but what stands below it. Every other package speaks to
// its neighbours through these types, so a stage can be run alone, by a
// scheduler or by another program, on the files of the stage before it.
package schemas
