package schemas

// What tests of package resultsfile take from those of this one.
var (
	Standard   = standard
	WholeJSON  = exampleJSON
	WriteFiles = writeFiles
)
