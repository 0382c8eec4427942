package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/lazyregexp"
)

// batch is how many renames are compiled together, unless they don't compile.
const batch = 10

// compile applies renames to the copy, many at once, and counts those that do not compile.
func (r *renames) compile(ctx context.Context, all []renamed) error {
	for len(all) > 0 {
		texts, some := map[string][]edits.Edit{}, []renamed{}
		var rest []renamed
		for _, one := range all {
			if len(some) < batch && !overlap(texts, one.edits) {
				some = append(some, one)
				for path, of := range one.edits {
					texts[path] = append(texts[path], of...)
				}
			} else {
				rest = append(rest, one)
			}
		}
		added, err := r.compileTogether(ctx, some, texts)
		switch {
		case err != nil:
			return err
		case len(added) > 0 && len(some) > 1:
			for _, one := range some {
				if err := r.compile(ctx, []renamed{one}); err != nil {
					return err
				}
			}
		case len(added) > 0:
			r.broken++
			fmt.Fprintf(r.list, "does not compile: %s in %s: %s\n", some[0].Canon, some[0].Rel,
				strings.Join(added[:min(3, len(added))], "; "))
		}
		all = rest
	}
	return nil
}

// overlap reports whether some edits touch others.
func overlap(texts, more map[string][]edits.Edit) bool {
	for path, of := range more {
		for _, e := range of {
			if slices.ContainsFunc(texts[path], func(o edits.Edit) bool { return e.Start <= o.End && o.Start <= e.End }) {
				return true
			}
		}
	}
	return false
}

// compileTogether returns the problems that renames bring into the copy, which it leaves as it was.
func (r *renames) compileTogether(ctx context.Context, some []renamed,
	texts map[string][]edits.Edit) (added []string, err error) {
	for path, of := range texts {
		before, err := r.write(path, of)
		if err != nil {
			return nil, err
		}
		defer os.WriteFile(r.in(path), before, 0o644)
	}
	names := map[string]string{}
	for _, one := range some {
		names[one.to] = one.Name
	}
	now, err := r.check.run(ctx, r.trial, names)
	return newProblems(r.base, now), err
}

// write writes a file with edits into the trial, and returns its text without them.
func (r *renames) write(path string, of []edits.Edit) (before []byte, err error) {
	before, err = os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(of, func(a, b edits.Edit) int { return a.Start - b.Start })
	after, err := edits.Apply(before, of)
	if err != nil {
		return nil, err
	}
	return before, os.WriteFile(r.in(path), after, 0o644)
}

// in returns where a file of the project is in the copy.
func (r *renames) in(path string) string { return r.trial + strings.TrimPrefix(path, r.dir) }

// A checker finds the problems of a project: a command, and what reads its output.
type checker struct {
	command []string
	read    func(out []byte) []string
}

// run returns the problems of a project. The names in them read as the others.
func (c checker) run(ctx context.Context, dir string, names map[string]string) ([]string, error) {
	cmd := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(names))) { // the longest of those that begin alike first
		out = bytes.ReplaceAll(out, []byte(name), []byte(names[name]))
	}
	return c.read(out), nil
}

// newProblems returns the problems that were not there before.
func newProblems(base, now []string) (added []string) {
	left := map[string]int{}
	for _, p := range base {
		left[p]++
	}
	for _, p := range now {
		if left[p]--; left[p] < 0 {
			added = append(added, p)
		}
	}
	return added
}

// problemLine matches a line of a compiler: the file, the line, the column and the message.
var problemLine = lazyregexp.New(`(?m)^(?:vet: )?(\S+?)[:(]\d+[:,]\d+\)?: (.*)$`)

// lineProblems reads the output of a compiler that writes lines.
func lineProblems(out []byte) (all []string) {
	for _, m := range problemLine.FindAllSubmatch(out, -1) {
		all = append(all, string(m[1])+": "+string(m[2]))
	}
	return all
}

// goProblems is lineProblems, with what go says of packages.
func goProblems(out []byte) []string {
	return slices.Compact(slices.Sorted(slices.Values(lineProblems(out))))
}

// pyrightProblems reads the output of pyright --outputjson.
func pyrightProblems(out []byte) (all []string) {
	var report struct {
		GeneralDiagnostics []struct{ File, Severity, Message string }
	}
	if json.Unmarshal(out, &report) != nil {
		return []string{"the output can't be read"}
	}
	for _, d := range report.GeneralDiagnostics {
		if d.Severity == "error" {
			all = append(all, filepath.Base(d.File)+": "+d.Message)
		}
	}
	return all
}
