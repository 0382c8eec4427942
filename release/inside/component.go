// Package inside tells what others wrote that is inside of the program and of the extension for
// VS Code, and under which licences.
//
// Its promises:
//
//   - Every Go module of the program on any platform, every grammar, the other C sources and every
//     bundled npm package is named.
//   - A licence that is not known or not allowed is an error.
package inside

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Component is a part of the program, or of the extension, that others wrote.
type Component struct {
	Name    string
	Version string
	PURL    string // its package URL, "" if it is in no registry
	Kind    Kind
	Licence string // an SPDX identifier, "" if it is not known
	Text    string // the licence as its authors wrote it, "" if it was not looked up
}

// A Kind is where a component comes from, in words.
type Kind string

const (
	goModule   Kind = "Go module"
	source     Kind = "source code or data"
	npmPackage Kind = "npm package"
)

// Components returns what is inside of the program and of the extension, by kind and name.
func Components(repository string) ([]Component, error) {
	var all []Component
	for _, list := range []func(string) ([]Component, error){goModules, sources, npmPackages} {
		found, err := list(repository)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// goModules returns the modules of the program's packages on any platform, and Go itself.
func goModules(repository string) ([]Component, error) {
	type module struct{ Path, Version, Dir string }
	found := map[string]module{}
	for _, os := range []string{"linux", "windows", "darwin"} {
		list, err := goOutput(repository, []string{"GOOS=" + os, "CGO_ENABLED=1"}, "list", "-deps", "-json=Module", "./cmd/ploke-lsp")
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
	root, err := goOutput(repository, nil, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	dir, version, _ := strings.Cut(root, "\n")
	found["std"] = module{"std", "v" + strings.TrimPrefix(version, "go"), dir}
	var all []Component
	for _, path := range slices.Sorted(maps.Keys(found)) {
		m := found[path]
		text, err := licenceText(m.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, Component{
			Name: path, Version: m.Version, PURL: "pkg:golang/" + path + "@" + m.Version, Kind: goModule,
			Licence: identify(text), Text: text,
		})
	}
	return all, nil
}

// A carriedSource is source code that a Go module carries along from elsewhere, see sources.toml.
type carriedSource struct{ Name, Module, Version, PURL, Licence, Copyright string }

//go:embed sources.toml
var sourcesText []byte

//go:embed licences
var texts embed.FS

func carried() []carriedSource {
	var file struct{ Source []carriedSource }
	if err := toml.Unmarshal(sourcesText, &file); err != nil {
		panic("sources.toml: " + err.Error()) // it is built in
	}
	return file.Source
}

func sources(string) ([]Component, error) {
	var all []Component
	for _, s := range carried() {
		text, err := texts.ReadFile("licences/" + s.Licence + ".txt")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		all = append(all, Component{
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
func npmPackages(repository string) ([]Component, error) {
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
	var all []Component
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[path]
		name := path[strings.LastIndex(path, "/node_modules/")+1:]
		name = strings.TrimPrefix(name, "node_modules/")
		if path == "" || p.Dev || slices.Contains(notBundled, name) ||
			strings.HasPrefix(name, "@types/") { // types leave nothing in a bundle
			continue
		}
		text, err := licenceText(filepath.Join(folder, path)) // there once npm has installed it
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, Component{Name: name, Version: p.Version,
			PURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version,
			Kind: npmPackage, Licence: p.License, Text: text})
	}
	return all, nil
}

// goOutput returns what a go command prints, with variables added to the environment.
func goOutput(folder string, environment []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), environment...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
