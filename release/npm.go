package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

//go:embed npm/launcher.js
var launcher []byte

//go:embed npm/README.md
var npmReadme []byte

// A manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Repository           string            `json:"repository,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Files                []string          `json:"files"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Libc                 []string          `json:"libc,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
}

func (r *release) manifest(name string) manifest {
	return manifest{Name: name, Version: r.stamp.version(), Description: summary, License: "MIT",
		Repository: r.publisher.Repository}
}

// npmPlatform writes the npm package with the program of a platform.
func (r *release) npmPlatform(p platform, program, thirdParty []byte) error {
	m := r.manifest(r.publisher.NPM + "-" + p.node())
	m.OS, m.CPU, m.Files = []string{p.tools[0]}, []string{p.tools[1]}, []string{"bin", "THIRD-PARTY.txt"}
	if p.os == "linux" {
		m.Libc = []string{"glibc"}
	}
	return r.npmPackage(m, member{"package/bin/" + p.program(), program, 0o755},
		member{"package/THIRD-PARTY.txt", thirdParty, 0o644})
}

// npmMain writes the npm package that people install. npm installs only the package of the platform with it.
func (r *release) npmMain() error {
	m := r.manifest(r.publisher.NPM)
	m.Bin, m.Files = map[string]string{"ploke-lsp": "launcher.js"}, []string{"launcher.js"}
	m.Engines, m.OptionalDependencies = map[string]string{"node": ">=18"}, map[string]string{}
	for _, p := range platforms {
		m.OptionalDependencies[r.publisher.NPM+"-"+p.node()] = m.Version
	}
	return r.npmPackage(m, member{"package/launcher.js", launcher, 0o755}, member{"package/README.md", npmReadme, 0o644})
}

func (r *release) npmPackage(m manifest, members ...member) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return err
	}
	members = append([]member{{"package/package.json", text.Bytes(), 0o644}, {"package/LICENSE", licence, 0o644}}, members...)
	file := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-") + "-" + m.Version + ".tgz"
	return writeTarGz(filepath.Join(r.out, file), members, r.stamp.date)
}
