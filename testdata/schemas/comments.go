package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// source is what Go source says of its types.
type source struct {
	texts     map[string]string   // of "package.Type" and "package.Type.Field": the comment, on one line
	constants map[string][]string // the words of a type that is a text, in their order, by the name of the type
}

// read returns what the Go files of directories say, without their tests.
func read(dirs ...string) (*source, error) {
	out := &source{map[string]string{}, map[string][]string{}}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			for _, d := range file.Decls {
				if d, ok := d.(*ast.GenDecl); ok {
					out.declaration(file.Name.Name+".", d)
				}
			}
		}
	}
	return out, nil
}

// declaration adds the types and constants that a declaration has.
func (s *source) declaration(in string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.of(in+spec.Name.Name, spec, d.Doc)
		case *ast.ValueSpec:
			t, ok := spec.Type.(*ast.Ident)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, v := range spec.Values {
				if word, ok := v.(*ast.BasicLit); ok && word.Kind == token.STRING {
					text, _ := strconv.Unquote(word.Value)
					s.constants[t.Name] = append(s.constants[t.Name], text)
				}
			}
		}
	}
}

// of adds the comments of a type and of its fields.
func (s *source) of(name string, t *ast.TypeSpec, doc *ast.CommentGroup) {
	if t.Doc != nil {
		doc = t.Doc
	}
	s.texts[name] = line(doc)
	fields, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		text := line(f.Doc)
		if text == "" {
			text = line(f.Comment)
		}
		for _, field := range f.Names {
			s.texts[name+"."+field.Name] = text
		}
	}
}

// line is a comment on one line; "" for none.
func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
