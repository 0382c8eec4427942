package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the formats register themselves
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// destinations says where the files of an archive go on Linux.
var destinations = map[string]string{
	"ploke-lsp":                  "/usr/bin/ploke-lsp",
	"ploke-lsp.1":                "/usr/share/man/man1/ploke-lsp.1",
	"completions/ploke-lsp":      "/usr/share/bash-completion/completions/ploke-lsp",
	"completions/_ploke-lsp":     "/usr/share/zsh/vendor-completions/_ploke-lsp", // Debian's; others have site-functions
	"completions/ploke-lsp.fish": "/usr/share/fish/vendor_completions.d/ploke-lsp.fish",
	"LICENSE":                    "/usr/share/doc/ploke-lsp/copyright",
	"THIRD-PARTY.txt":            "/usr/share/doc/ploke-lsp/THIRD-PARTY.txt",
}

// linuxPackages writes the .deb and the .rpm of a platform.
func (r *release) linuxPackages(p platform, members []member) error {
	folder, err := os.MkdirTemp("", "ploke-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for format, depends := range map[string]string{"deb": "libc6 (>= " + glibc + ")", "rpm": "glibc >= " + glibc} {
		contents, err := r.contents(folder, format, members)
		if err != nil {
			return err
		}
		if err := r.linuxPackage(p, format, depends, contents); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return nil
}

func (r *release) linuxPackage(p platform, format, depends string, contents files.Contents) error {
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "ploke-lsp", Arch: p.arch, Platform: "linux", Version: r.stamp.version(), Release: "1", Section: "devel",
		Priority:   "optional",
		Maintainer: r.publisher.Maintainer, Homepage: r.publisher.Repository, License: "MIT", MTime: r.stamp.date,
		Description: summary + "\n" + description,
		Overridables: nfpm.Overridables{
			Depends: []string{depends}, Recommends: []string{"git"}, Contents: contents, RPM: nfpm.RPM{BuildHost: "localhost", Summary: summary},
		},
	})
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	return archive(filepath.Join(r.out, packager.ConventionalFileName(info)),
		func(w io.Writer) error { return packager.Package(info, w) })
}

// contents puts the members that belong on Linux into a folder, from which nfpm takes them.
func (r *release) contents(folder, format string, members []member) (files.Contents, error) {
	var contents files.Contents
	for _, m := range members {
		destination, ok := destinations[m.name]
		if !ok {
			continue
		}
		if format == "rpm" {
			destination = strings.Replace(destination, "/zsh/vendor-completions/", "/zsh/site-functions/", 1)
		}
		source := filepath.Join(folder, filepath.FromSlash(m.name))
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(source, m.content, 0o600); err != nil {
			return nil, err
		}
		info := &files.ContentFileInfo{Owner: "root", Group: "root", Mode: os.FileMode(m.mode),
			MTime: r.stamp.date.Truncate(time.Second)}
		contents = append(contents, &files.Content{Source: source, Destination: destination, FileInfo: info})
	}
	return contents, nil
}
