package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// renameSuffix makes the new name of a symbol.
const renameSuffix = "Ren9"

// compiledRenames renames symbols with the server's help, applies each rename to a copy, and compiles that.
func (b *bench) compiledRenames(ctx context.Context, p *compiledCode, check checker) error {
	if len(check.command) == 0 {
		return nil
	}
	command, err := b.findServer(check.command)
	if err != nil {
		fmt.Fprintf(b.log, "renames are skipped: %v\n", err)
		return nil
	}
	check.command = command
	trial := p.dir + ".trial"
	if out, err := exec.CommandContext(ctx, "cp", "-a", p.dir, trial).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	base, err := check.run(ctx, trial, nil)
	if err != nil {
		return err
	}
	kinds := map[syntax.Kind]bool{syntax.KindFunction: true, syntax.KindMethod: true, syntax.KindClass: true,
		syntax.KindStruct: true, syntax.KindInterface: true, syntax.KindType: true, syntax.KindField: true,
		syntax.KindConstant: true, syntax.KindVariable: true, syntax.KindEnum: true}
	r := renames{compiledCode: p, check: check, trial: trial, base: base}
	if err := r.drawAll(ctx, b.sampling.renames, kinds); err != nil {
		return err
	}
	if len(r.made) == 0 {
		return errors.New("no symbol was renamed")
	}
	if err := r.compile(ctx, r.made); err != nil {
		return err
	}
	count := func(name string, n int) figure { return figure{Tree: p.name, Name: name, Value: float64(n)} }
	b.table.add(
		count("renames that do not compile", r.broken).atMost(0).
			note("of %d, in %d files; %d others the server refused", len(r.made), r.files, r.refused),
		count("names in strings and comments that are renamed", r.inText).atMost(0).note("of %d places", r.places),
	)
	return nil
}

// renames is a run of renames.
type renames struct {
	*compiledCode
	check                                  checker
	trial                                  string
	base                                   []string
	made                                   []renamed
	refused, broken, files, places, inText int
}

// renamed is a rename with what it changes.
type renamed struct {
	index.Unit
	to    string
	edits map[string][]edits.Edit // by path
}

// drawAll renames symbols until there are enough renames.
func (r *renames) drawAll(ctx context.Context, enough int, kinds map[syntax.Kind]bool) error {
	for i, u := range r.draw("renames", 3*enough, kinds) {
		if len(r.made) == enough {
			break
		}
		if err := r.rename(ctx, fmt.Sprint("rename ", i), u); err != nil {
			return err
		}
	}
	return nil
}

// rename renames a symbol.
func (r *renames) rename(ctx context.Context, id string, u index.Unit) error {
	one := renamed{u, fmt.Sprint(u.Name, renameSuffix, len(r.made)), map[string][]edits.Edit{}}
	var staged struct {
		OK    bool
		Error string
		Edits []struct{ By, Note string }
	}
	args := map[string]any{"edits": []map[string]any{{"file": u.Path, "canon": u.Canon, "new_name": one.to}}}
	if err := r.call(ctx, r.compiled, id, "apply_code_edit", args, &staged); err != nil {
		return err
	}
	if !staged.OK || len(staged.Edits) == 0 || staged.Edits[0].By == "" {
		r.refused++
		fmt.Fprintf(r.list, "not renamed: %s in %s: %s %v\n", u.Canon, u.Rel, staged.Error, staged.Edits)
		return nil
	}
	proposals, err := r.deps.Edits.Staging.StagedIn(ctx, id)
	if err != nil {
		return err
	}
	code, err := r.identifiers(ctx, u)
	if err != nil {
		return err
	}
	for _, p := range proposals {
		for _, c := range p.Changes {
			text, err := os.ReadFile(c.Path)
			if err != nil {
				return err
			}
			r.files++
			for _, h := range c.Hunks {
				one.edits[c.Path] = append(one.edits[c.Path], h.Edit)
				r.look(one, c.Path, text, h.Edit, code)
			}
		}
	}
	r.made = append(r.made, one)
	return nil
}

// docLink matches the names in comments that are references for a compiler.
var docLink = lazyregexp.New(`\{@link`)

// look counts the names that an edit replaces, and those of them that stand in a string or a comment.
func (r *renames) look(one renamed, path string, text []byte, e edits.Edit, code map[edgePlace]bool) {
	for at := range e.End - e.Start - len(one.Name) + 1 {
		at += e.Start
		if string(text[at:at+len(one.Name)]) != one.Name || !strings.Contains(e.New, one.to) {
			continue
		}
		r.places++
		if line := lineAt(text, at); !code[edgePlace{path, at}] && !docLink.MatchString(line) {
			r.inText++
			fmt.Fprintf(r.list, "renamed in text: %s in %s: %s\n", one.Canon, one.Rel, line)
		}
	}
}

// identifiers returns where the name of a symbol stands in code, and in its own comment, which is renamed with it.
func (p *compiledCode) identifiers(ctx context.Context, u index.Unit) (map[edgePlace]bool, error) {
	var found edgesResult
	args := map[string]any{"canon": u.Canon, "file": u.Path, "direction": "occurrences", "limit": 1000}
	err := p.call(ctx, p.byName, "edges", "code_item_edges", args, &found)
	all := map[edgePlace]bool{{u.Path, u.NameStart}: true}
	for at := range found.places("occurrences") {
		all[at] = true
	}
	return all, err
}

// lineAt returns the line of a text at an offset.
func lineAt(text []byte, at int) string {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	return strings.TrimSpace(string(line))
}
