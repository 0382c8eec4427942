package shards

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// readNode reads the name and the exports that a package.json declares, as Node's documentation of packages and
// TypeScript's of "types" describe them, with all files of an export's conditions, and the other names that it gives to
// packages.
func (p *Package) readNode(text []byte) {
	var m struct {
		Name                                 string
		Source, Types, Typings, Module, Main any
		Exports                              json.RawMessage

		Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]any
	}
	if json.Unmarshal(text, &m) != nil {
		return
	}
	exports := exportsOf(m.Exports)
	for _, file := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
		if file, ok := file.(string); ok {
			exports["."] = append(exports["."], path.Clean(file))
		}
	}
	p.Name, p.Exports = m.Name, exports
	for _, dependencies := range []map[string]any{
		m.PeerDependencies, m.OptionalDependencies, m.DevDependencies, m.Dependencies,
	} {
		for name, version := range dependencies {
			if version, ok := version.(string); ok {
				p.rename(name, aliased(version))
			}
		}
	}
}

// aliased returns the package that a version in a package.json names instead of its key, "" for none: that of
// workspace:other@* and npm:other@1, or the folder of link:../other and its like.
func aliased(version string) string {
	protocol, of, ok := strings.Cut(version, ":")
	switch {
	case !ok:
	case protocol == "link" || protocol == "file" || protocol == "portal" || protocol == "workspace" && isRelative(of):
		return relative(of)
	case protocol == "npm" || protocol == "workspace":
		if at := strings.LastIndexByte(of, '@'); at > 0 {
			return of[:at]
		}
	}
	return ""
}

func isRelative(folder string) bool {
	return folder == "." || folder == ".." || strings.HasPrefix(folder, "./") || strings.HasPrefix(folder, "../")
}

// relative returns the path of a folder with a dot at its beginning, "" for one that is not relative.
func relative(folder string) string {
	switch folder = path.Clean(folder); {
	case path.IsAbs(folder) || strings.HasPrefix(folder, "~"):
		return ""
	case isRelative(folder):
		return folder
	}
	return "./" + folder
}

// rename records that a name stands for another package.
func (p *Package) rename(name, of string) {
	if of == "" || of == name {
		return
	}
	if p.Renames == nil {
		p.Renames = map[string]string{}
	}
	p.Renames[name] = of
}

func exportsOf(value json.RawMessage) map[string][]string {
	var byName map[string]json.RawMessage
	if json.Unmarshal(value, &byName) != nil || !hasSubpaths(byName) {
		return map[string][]string{".": filesOf(value)}
	}
	exports := map[string][]string{}
	for sub, files := range byName {
		exports[sub] = filesOf(files)
	}
	return exports
}

// hasSubpaths reports whether the keys of "exports" are names behind that of the package, and not conditions.
func hasSubpaths(exports map[string]json.RawMessage) bool {
	for name := range exports {
		return strings.HasPrefix(name, ".")
	}
	return false
}

// filesOf returns the files in the value of an export: a text, alternatives, or conditions, which may be nested.
func filesOf(value json.RawMessage) (files []string) {
	var decoded any
	if json.Unmarshal(value, &decoded) != nil {
		return nil
	}
	files = textsIn(decoded)
	slices.Sort(files)
	return slices.Compact(files)
}

// textsIn returns the texts in a value of JSON as paths.
func textsIn(value any) (paths []string) {
	switch value := value.(type) {
	case string:
		paths = append(paths, path.Clean(value))
	case []any:
		for _, v := range value {
			paths = append(paths, textsIn(v)...)
		}
	case map[string]any:
		for _, v := range value {
			paths = append(paths, textsIn(v)...)
		}
	}
	return paths
}

// compilerPaths returns the "paths" of a tsconfig.json or jsconfig.json, relative to its folder. Such a file may have
// comments and trailing commas.
func compilerPaths(text []byte) map[string][]string {
	var m struct {
		CompilerOptions struct {
			BaseURL string `json:"baseUrl"`
			Paths   map[string][]string
		}
	}
	plain, err := hujson.Standardize(slices.Clone(text))
	if err != nil || json.Unmarshal(plain, &m) != nil {
		return nil
	}
	for _, files := range m.CompilerOptions.Paths {
		for i := range files {
			files[i] = path.Join(m.CompilerOptions.BaseURL, files[i])
		}
	}
	return m.CompilerOptions.Paths
}
