// Package resultsfile writes and reads results.json one experiment at a time, within
// bounds: a log can hold thousands.
package resultsfile
