package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A component is a part of the program, or of the extension, that others wrote.
type component struct {
	Name    string
	Version string
	PURL    string // its package URL, "" if it is in no registry
	Kind    kind
	Licence string // an SPDX identifier, "" if it is not known
	Text    string // the licence as its authors wrote it, "" if it was not looked up
}

type kind string

const (
	goModule   kind = "Go module"
	source     kind = "source code inside of a Go module"
	npmPackage kind = "npm package"
)

// components returns what is inside of the program and of the extension, by kind and name.
func components(repository string) ([]component, error) {
	var all []component
	for _, list := range []func(string) ([]component, error){goModules, sources, npmPackages} {
		found, err := list(repository)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// goModules returns the modules of the program's packages on any platform, and Go itself.
func goModules(repository string) ([]component, error) {
	type module struct{ Path, Version, Dir string }
	found := map[string]module{}
	for _, os := range []string{"linux", "windows", "darwin"} {
		list, err := output(repository, "env", "GOOS="+os, "CGO_ENABLED=1", "go", "list", "-deps", "-json=Module", "./cmd/ploke-lsp")
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(strings.NewReader(list))
		for {
			var p struct{ Module *module }
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module != nil && p.Module.Version != "" {
				found[p.Module.Path] = *p.Module
			}
		}
	}
	root, err := output(repository, "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	dir, version, _ := strings.Cut(root, "\n")
	found["std"] = module{"std", "v" + strings.TrimPrefix(version, "go"), dir}
	var all []component
	for _, path := range slices.Sorted(maps.Keys(found)) {
		m := found[path]
		text, err := licenceText(m.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, component{
			Name: path, Version: m.Version, PURL: "pkg:golang/" + path + "@" + m.Version, Kind: goModule, Licence: identify(text), Text: text,
		})
	}
	return all, nil
}

// sources returns the source code that modules carry along from elsewhere, see sources.toml.
func sources(repository string) ([]component, error) {
	content, err := os.ReadFile(filepath.Join(repository, "release", "sources.toml"))
	if err != nil {
		return nil, err
	}
	var file struct {
		Source []struct{ Name, Module, Version, PURL, Licence, Copyright string }
	}
	if err := toml.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("sources.toml: %w", err)
	}
	var all []component
	for _, s := range file.Source {
		text, err := os.ReadFile(filepath.Join(repository, "release", "licences", s.Licence+".txt"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		all = append(all, component{
			Name: s.Name, Version: s.Version, PURL: s.PURL, Kind: source, Licence: s.Licence,
			Text: strings.TrimSpace(s.Copyright + "\n\n" + string(text)),
		})
	}
	return all, nil
}

// notBundled are npm packages that only command lines of other packages use.
var notBundled = []string{"argparse"} // of markdown-it

// npmPackages returns the packages that are bundled into the extension: those that package-lock.json
// does not mark as needed for development only.
func npmPackages(repository string) ([]component, error) {
	folder := filepath.Join(repository, "editors", "vscode")
	content, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	var all []component
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[path]
		name := path[strings.LastIndex(path, "/node_modules/")+1:]
		name = strings.TrimPrefix(name, "node_modules/")
		if path == "" || p.Dev || slices.Contains(notBundled, name) || strings.HasPrefix(name, "@types/") { // types leave nothing in a bundle
			continue
		}
		text, err := licenceText(filepath.Join(folder, path)) // there once npm has installed it
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, component{Name: name, Version: p.Version, PURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version,
			Kind: npmPackage, Licence: p.License, Text: text})
	}
	return all, nil
}
