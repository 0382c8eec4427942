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

var update = flag.Bool("update", false, "write the table of docs/settings.md anew")

const (
	settingsPage = "docs/settings.md"
	tableBegin   = "<!-- generated from internal/config: go test ./docs -update -->\n"
	tableEnd     = "<!-- end -->\n"
)

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

// TestSettingsAreCurrent compares the page with the settings of the program.
func TestSettingsAreCurrent(t *testing.T) {
	text := page(t, settingsPage)
	before, rest, begins := strings.Cut(text, tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("%s has no place for the table", settingsPage)
	}
	want := before + tableBegin + settingsTable() + tableEnd + after
	if text == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the settings of the program: run go test ./docs -update", settingsPage)
	}
	if err := os.WriteFile(filepath.Join(root, settingsPage), []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
