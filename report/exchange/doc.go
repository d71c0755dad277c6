// Package exchange writes what was found in the formats of other programs: JUnit XML,
// which test runners show, and OpenLineage, which data catalogues gather.
package exchange
