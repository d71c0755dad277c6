package reproduce

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
)

// Command is a command that writes one page: to the FILE of its flag -o, or to standard
// output where it is not given, once the whole page is made. The flags that the command
// has beside are declared before. A page that cannot be made ends it with exit code 1.
func Command(name string, page func(w io.Writer) error) {
	out := flag.String("o", "", "`FILE` to write; standard output where it is not given")
	flag.Parse()
	if err := written(*out, page); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

func written(out string, page func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := page(&b); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o600)
}
