package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/workspace"
)

const (
	// maxOutlineDepth is how many levels of folders an outline shows.
	maxOutlineDepth = 5
	// maxOutlineEntries is how many files and folders an outline shows. A level that has more is left out,
	// except the first.
	maxOutlineEntries = 400
	// maxOutlineBytes is about 8,000 tokens.
	maxOutlineBytes = 32 << 10
	// maxOutlineNames is how many symbols of a file an outline names.
	maxOutlineNames = 30
)

// FolderOutline returns what a model is told about a folder: its files and folders, one on a line and
// indented by depth, each file with the names of its outer symbols. It ends with how much is left out, if anything.
func (a *Attachments) FolderOutline(ctx context.Context, dir string) (string, error) {
	entries, deeper, err := a.outlineEntries(ctx, dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	shown := entries[:min(len(entries), maxOutlineEntries)]
	for i, e := range shown {
		line, err := a.outlineLine(ctx, dir, e)
		if err != nil {
			return "", err
		}
		if b.Len()+len(line) > maxOutlineBytes {
			shown = shown[:i]
			break
		}
		b.WriteString(line)
	}
	switch {
	case len(entries) == 0:
		b.WriteString("(the folder is empty)\n")
	case len(shown) < len(entries):
		fmt.Fprintf(&b, "(%d more are left out)\n", len(entries)-len(shown))
	case deeper:
		b.WriteString("(what is in deeper folders is left out)\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// outlineEntries returns as many levels of a folder as an outline can show; deeper reports whether there are more.
func (a *Attachments) outlineEntries(ctx context.Context, dir string) (entries []workspace.Entry, deeper bool,
	err error) {
	for depth := 1; ; depth++ {
		level, err := a.ws.List(ctx, dir, depth)
		switch {
		case err != nil:
			return nil, false, err
		case len(level) == len(entries):
			return entries, false, nil
		case depth > maxOutlineDepth || depth > 1 && len(level) > maxOutlineEntries:
			return entries, true, nil
		}
		entries = level
	}
}

// outermost returns the names of the first symbols that are not within others.
func outermost(units []index.Unit) (names []string) {
	for _, u := range units {
		if u.Canon == u.Name && len(names) < maxOutlineNames {
			names = append(names, display.Name(u.Name))
		}
	}
	return names
}

// outlineLine returns the line of an entry, such as "  name.go: Name, ParseName".
func (a *Attachments) outlineLine(ctx context.Context, dir string, e workspace.Entry) (string, error) {
	below, err := filepath.Rel(dir, e.Path)
	if err != nil {
		return "", err
	}
	line := strings.Repeat("  ", strings.Count(below, string(filepath.Separator))) + display.Name(filepath.Base(e.Path))
	switch {
	case e.Dir:
		return line + "/\n", nil
	case e.Skip != "":
		return fmt.Sprintf("%s (left out: %s)\n", line, e.Skip), nil
	}
	units, err := a.index.Outline(ctx, e.Path)
	if err != nil {
		return "", err
	}
	if names := outermost(units); len(names) > 0 {
		line += ": " + strings.Join(names, ", ")
	}
	return line + "\n", nil
}
