package main

import (
	"errors"

	"banditaudit/schemas"
)

// placed puts the problems of a protocol that showed only with the log at
// their places in the file. They are those of the log as a whole, whichever
// experiment met them.
func placed(doc *schemas.Document, err error) error {
	var problems schemas.Problems
	if !errors.As(err, &problems) {
		return err
	}
	out := make(schemas.Problems, len(problems))
	for i, p := range problems {
		out[i] = p
		if p.Line == 0 {
			out[i] = doc.Problem(p.Path, p.What, p.Why, p.Mend)
		}
	}
	return out
}
