package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	summary     = "AI coding assistant for every editor, as a language server"
	description = "It answers questions about your code with citations, and proposes edits that you\nreview as a diff. " +
		"It needs no key, no account and no network to start."
)

// name returns the name of a file of the release that has no convention of its own.
func (r *release) name(rest string) string { return "ploke-lsp_" + r.stamp.version() + "_" + rest }

// packages writes all packages of a platform.
func (r *release) packages(p platform, shared []member) error {
	program, err := os.ReadFile(r.binary(p))
	if err != nil {
		return err
	}
	members := append([]member{{p.program(), program, 0o755}}, shared...)
	if err := r.plainArchive(p, members); err != nil {
		return err
	}
	if p.os == "linux" {
		if err := r.linuxPackages(p, members); err != nil {
			return err
		}
	}
	if err := r.npmPlatform(p, program, find(shared, "THIRD-PARTY.txt")); err != nil {
		return fmt.Errorf("npm: %w", err)
	}
	return r.extension(p)
}

// archiveFolder returns the name of the folder in the archive of a platform.
func (r *release) archiveFolder(p platform) string { return r.name(p.os + "_" + p.arch) }

// archiveName returns the file name of the archive of a platform.
func (r *release) archiveName(p platform) string {
	if p.os == "windows" {
		return r.archiveFolder(p) + ".zip"
	}
	return r.archiveFolder(p) + ".tar.gz"
}

// plainArchive writes the archive of a platform, with everything in one folder.
func (r *release) plainArchive(p platform, members []member) error {
	inFolder := make([]member, len(members))
	for i, m := range members {
		inFolder[i] = member{r.archiveFolder(p) + "/" + m.name, m.content, m.mode}
	}
	path := filepath.Join(r.out, r.archiveName(p))
	if p.os == "windows" {
		return writeZip(path, inFolder, r.stamp.date)
	}
	return writeTarGz(path, inFolder, r.stamp.date)
}

// generated are the files that the program writes about itself, and the arguments for each.
var generated = []struct {
	name string
	args []string
}{
	{"ploke-lsp.1", []string{"manual"}},
	{"completions/ploke-lsp", []string{"completion", "bash"}},
	{"completions/_ploke-lsp", []string{"completion", "zsh"}},
	{"completions/ploke-lsp.fish", []string{"completion", "fish"}},
	{"completions/ploke-lsp.ps1", []string{"completion", "powershell"}},
}

// sharedMembers returns the files that are the same on all platforms. A program that this machine runs
// writes some of them.
func (r *release) sharedMembers(runs platform, thirdParty []byte) ([]member, error) {
	members := []member{{"THIRD-PARTY.txt", thirdParty, 0o644}}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, content, 0o644})
	}
	for _, g := range generated {
		text, err := output(r.source, r.binary(runs), g.args...)
		if err != nil {
			return nil, err
		}
		members = append(members, member{g.name, []byte(text + "\n"), 0o644})
	}
	return members, nil
}

func find(members []member, name string) []byte {
	for _, m := range members {
		if m.name == name {
			return m.content
		}
	}
	return nil
}
