package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// maxDocument bounds a JSON document that is read whole.
const maxDocument = 2 << 30

// readDocument reads a regular file of bounded size.
func readDocument(path string) ([]byte, error) {
	if err := checkDocument(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Size() > maxDocument:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", path, info.Size(), int64(maxDocument))
	}
	return os.ReadFile(path)
}

// checkDocument refuses what is no regular file: a device or a pipe would give
// bytes without end.
func checkDocument(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	}
	return nil
}

// startBytes hold the name of the schema of a document that this program wrote.
const startBytes = 200

// readStart reads the first bytes of a regular file.
func readStart(path string) ([]byte, error) {
	if err := checkDocument(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(file, startBytes))
	return b, errors.Join(err, file.Close())
}
