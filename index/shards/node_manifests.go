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
	exports = map[string][]string{}
	var byName map[string]json.RawMessage
	if json.Unmarshal(m.Exports, &byName) == nil && hasSubpaths(byName) {
		for sub, files := range byName {
			exports[sub] = filesOf(files)
		}
	} else {
		exports["."] = filesOf(m.Exports)
	}
	for _, file := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
		if file, ok := file.(string); ok {
			exports["."] = append(exports["."], path.Clean(file))
		}
	}
	return m.Name, exports
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
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			files = append(files, path.Clean(v))
		case []any:
			for _, v := range v {
				add(v)
			}
		case map[string]any:
			for _, v := range v {
				add(v)
			}
		}
	}
	add(decoded)
	slices.Sort(files)
	return slices.Compact(files)
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
