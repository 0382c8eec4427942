package chat

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// maxNameBytes is how long a name is that is looked for.
const maxNameBytes = 300

// namedLines are the lines behind a path, such as :12, :12-20 or #L12.
var namedLines = lazyregexp.New(`^(.+?)(?::|#L)(\d{1,9})(?:-L?(\d{1,9}))?$`)

// callArguments are those behind the name of a function, as in Run(ctx).
var callArguments = lazyregexp.New(`\([^()]*\)$`)

// A placeFinder finds what words of an answer name.
type placeFinder struct {
	project  *project.Project
	encoding ploke.Encoding
	uriOf    func(path string) uri.URI
}

// Places returns what words of an answer name.
func (t *Turns) Places(ctx context.Context, p *ploke.ChatPlacesParams) (*ploke.ChatPlacesResult, error) {
	f := placeFinder{project: t.Project, encoding: t.Client.Encoding, uriOf: t.Documents.URIOf}
	rpc.Release(ctx)
	result := &ploke.ChatPlacesResult{Places: []ploke.ChatPlace{}}
	for _, name := range p.Names[:min(len(p.Names), ploke.ChatPlacesNames)] {
		found, err := f.find(ctx, name)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Name = name
		}
		result.Places = append(result.Places, found...)
	}
	return result, nil
}

// find returns the places that a word names: a path names a file, its end the files that end so, and anything else
// symbols.
func (f *placeFinder) find(ctx context.Context, name string) ([]ploke.ChatPlace, error) {
	if name == "" || len(name) > maxNameBytes || strings.ContainsAny(name, "\n\x00") {
		return nil, nil
	}
	found, err := f.files(ctx, name)
	if err != nil || len(found) > 0 {
		return found, err
	}
	return f.symbols(ctx, callArguments.ReplaceAllString(name, ""))
}

func (f *placeFinder) files(ctx context.Context, name string) ([]ploke.ChatPlace, error) {
	w, lines := f.project.Workspace, (*protocol.Range)(nil)
	if m := namedLines.FindStringSubmatch(name); m != nil {
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		name, lines = m[1], &protocol.Range{Start: protocol.Position{Line: uint32(max(first, 1) - 1)},
			End: protocol.Position{Line: uint32(max(first, last, 1) - 1)}}
	}
	if full, err := w.Resolve(name); err == nil {
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			return []ploke.ChatPlace{f.file(ctx, full, lines)}, nil
		}
	}
	suffix := "/" + strings.TrimPrefix(path.Clean(filepath.ToSlash(name)), "/")
	paths, err := f.project.Index.Files(ctx, name, maxCompletions)
	var found []ploke.ChatPlace
	for _, p := range paths {
		if strings.HasSuffix("/"+w.Rel(p), suffix) && len(found) < maxDefinitions {
			found = append(found, f.file(ctx, p, lines))
		}
	}
	return found, err
}

// file returns lines of a file. Those of a notebook are named as a model reads it.
func (f *placeFinder) file(ctx context.Context, path string, lines *protocol.Range) ploke.ChatPlace {
	if lines != nil {
		named := project.Lines{First: int(lines.Start.Line) + 1, Last: int(lines.End.Line) + 1}
		at := f.project.Attachments.LinesInFile(ctx, path, named)
		between := document.BetweenLines(at.First, at.Last)
		lines = &between
	}
	return ploke.ChatPlace{URI: f.uriOf(path), Range: lines, Label: display.Name(f.project.Workspace.Rel(path))}
}

// symbols returns the symbols with a name. What is before the last part may also be their package: the folder or the
// file that they are in.
func (f *placeFinder) symbols(ctx context.Context, name string) ([]ploke.ChatPlace, error) {
	found, err := f.named(ctx, name)
	if err != nil {
		return nil, err
	}
	var places []ploke.ChatPlace
	for _, u := range found[:min(len(found), maxDefinitions)] {
		if file, err := f.project.Workspace.Read(ctx, u.Path); err == nil {
			name := ploke.NewMapper(file.Text, f.encoding).Range(u.NameStart, u.NameEnd)
			places = append(places, ploke.ChatPlace{URI: f.uriOf(u.Path), Range: &name,
				Signature: display.Escape(cmp.Or(u.Signature, u.Canon)), Label: display.Name(u.Rel + "::" + u.Canon)})
		}
	}
	return places, nil
}

// named returns the symbols with a name, or else those with its last part in what the part before it names: a file, or
// its folder.
func (f *placeFinder) named(ctx context.Context, name string) ([]index.Unit, error) {
	found, _, err := f.project.Index.Lookup(ctx, index.LookupQuery{Name: name})
	canon := strings.ReplaceAll(name, ".", "::")
	at := strings.LastIndex(canon, "::")
	if err != nil || len(found) > 0 || at <= 0 {
		return found, err
	}
	holder := path.Base(strings.ReplaceAll(canon[:at], "::", "/"))
	found, _, err = f.project.Index.Lookup(ctx, index.LookupQuery{Name: canon[at+2:]})
	return slices.DeleteFunc(found, func(u index.Unit) bool {
		file := path.Base(u.Rel)
		return holder != path.Base(path.Dir(u.Rel)) && holder != strings.TrimSuffix(file, path.Ext(file))
	}), err
}
