package check

import "banditaudit/schemas"

// H01 says that every declared column was there with a type of its role. It
// holds whenever a tableau exists: ingest refuses a log in which it does not.
func H01(f *Facts) schemas.Check {
	return schemas.Check{
		ID: "H01", Title: "schema and types", Status: schemas.CheckPass,
		Observed: schemas.Counted(f.Columns, "column") + " in " + schemas.Counted(f.Files, "file"), Expected: "every declared column, with a type of its role",
		Detail: "A log in which this fails is refused before any number is computed.",
	}
}
