package shards

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// nodePackage returns the name and the exports that a package.json declares, as Node's documentation of packages and
// TypeScript's of "types" describe them. All files of an
// export's conditions are returned.
func nodePackage(text []byte) (name string, exports map[string][]string) {
	var m struct {
		Name                                 string
		Source, Types, Typings, Module, Main any
		Exports                              json.RawMessage
	}
	if json.Unmarshal(text, &m) != nil {
		return "", nil
	}
	exports = exportsOf(m.Exports)
	for _, file := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
		if file, ok := file.(string); ok {
			exports["."] = append(exports["."], path.Clean(file))
		}
	}
	return m.Name, exports
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
