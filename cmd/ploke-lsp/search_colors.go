package main

import (
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/terminal"
)

// hitLine is the line of a hit: its place, kind and name.
var hitLine = lazyregexp.New(`^(\S.*):(\d+)  (\S+) (.*)\n$`)

// printFound prints what a search in a folder has found. On a screen with colors the places are links.
func printFound(env environment, folder string, r *reply) error {
	s, ok := env.stdout.(screen)
	root, err := filepath.Abs(folder)
	if !ok || !s.colors || err != nil || strings.HasPrefix(r.Output, "{") {
		return r.print(env)
	}
	return r.printAs(env, func(output string) error {
		for line := range strings.Lines(output) {
			m := hitLine.FindStringSubmatch(line)
			if m == nil {
				put(s, terminal.Span{Text: line, Style: terminal.Dim})
				continue
			}
			link := string(uri.File(filepath.Join(root, filepath.FromSlash(m[1])))) + "#L" + m[2]
			put(s, terminal.Span{Text: m[1] + ":" + m[2], Style: terminal.Cyan, Link: link},
				terminal.Span{Text: "  " + m[3], Style: terminal.Dim}, terminal.Span{Text: " " + m[4] + "\n"})
		}
		return nil
	})
}
