package docs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
)

var update = flag.Bool("update", false, "write the generated tables of the pages anew")

// settingsTable writes the settings as a Markdown table.
func settingsTable() string {
	var b strings.Builder
	b.WriteString("| key | meaning | default | user only |\n|---|---|---|---|\n")
	cell := func(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
	for _, e := range config.Reference() {
		userOnly := ""
		if e.UserOnly {
			userOnly = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", e.Key, cell(e.Doc), cell(e.Default), userOnly)
	}
	return b.String()
}

func TestSettingsAreCurrent(t *testing.T) {
	compareTable(t, "docs/settings.md", "internal/config", settingsTable())
}

// compareTable compares the generated table of a page with what it should be, or writes
// it.
func compareTable(t *testing.T, path, source, table string) {
	t.Helper()
	begin, end := "<!-- generated from "+source+": go test ./docs -update -->\n", "<!-- end -->\n"
	text := page(t, path)
	before, rest, begins := strings.Cut(text, begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no place for the table", path)
	}
	want := before + begin + table + end + after
	if text == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not current: run go test ./docs -update", path)
	}
	if err := os.WriteFile(filepath.Join(root, path), []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
