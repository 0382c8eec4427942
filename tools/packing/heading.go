package packing

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// maxImports is the number of imports that are listed; of more there is only the count.
const maxImports = 12

// headingTokens returns how many tokens the path of a file takes.
func (p *Packer) headingTokens(path string) int {
	w := wording.Writer{Paths: p.Paths}
	return p.measure(wording.EndLine(w.Path(path))).Tokens()
}

// codeHeading returns how many tokens the heading of a file with code still takes, with its
// imports.
func (p *Packer) codeHeading(path string) (tokens int, err error) {
	if _, paid := p.imports[path]; paid {
		return 0, nil
	}
	if _, known := p.importsOf[path]; !known {
		found, err := p.Overlay.Imports(p.Ctx, []string{path})
		if err != nil {
			return 0, err
		}
		p.setImports(found)
	}
	return p.tokensOf(func(w *wording.Writer) { w.Note(p.importsOf[path]) }), nil
}

func (p *Packer) setImports(found map[string][]syntax.Import) {
	for path, imports := range found {
		p.importsIn[path], p.importsOf[path] = imports, importsLine(imports)
	}
}

// importsGap is the number of lines after an import from which the next one is not in the block at
// the head of the file, but in a function, for example.
const importsGap = 10

// headImports returns the imports at the head of a file.
func headImports(imports []syntax.Import) []syntax.Import {
	for i := range imports {
		if i > 0 && imports[i].Line > imports[i-1].Line+importsGap {
			return imports[:i]
		}
	}
	return imports
}

// importsLine returns the imports at the head of a file in one line, "" if it has none.
func importsLine(imports []syntax.Import) string {
	imports = headImports(imports)
	if len(imports) == 0 {
		return ""
	}
	var names []string
	for _, i := range imports {
		if !slices.Contains(names, i.Path) {
			names = append(names, i.Path)
		}
	}
	lines := wording.ListOfLines(wording.LineRange(imports[0].Line, imports[len(imports)-1].Line))
	if len(names) > maxImports {
		return fmt.Sprintf("%d imports, %s", len(names), lines)
	}
	return "imports, " + lines + ": " + strings.Join(names, ", ")
}
