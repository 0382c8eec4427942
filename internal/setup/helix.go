package setup

import (
	"fmt"
	"slices"
	"strings"
)

// helixServers has the language servers that Helix runs for a language by default. A list in a
// person's file replaces Helix's own, so ours names them all. They are those of Helix's
// languages.toml, of version 25.01 and of July 2026 together: Helix passes over servers that it does not know.
var helixServers = [][2]string{
	{"bash", "bash-language-server"},
	{"c", "clangd"},
	{"c-sharp", "roslyn-language-server omnisharp csharp-ls"},
	{"cpp", "clangd"},
	{"css", "vscode-css-language-server"},
	{"dockerfile", "docker-langserver docker-language-server"},
	{"elixir", "elixir-ls expert"},
	{"go", "gopls golangci-lint-lsp"},
	{"hcl", "terraform-ls"},
	{"html", "vscode-html-language-server superhtml"},
	{"java", "jdtls"},
	{"javascript", "typescript-language-server"},
	{"jsx", "typescript-language-server"},
	{"kotlin", "kotlin-language-server"},
	{"lua", "lua-language-server"},
	{"markdown", "marksman markdown-oxide rumdl"},
	{"ocaml", "ocamllsp"},
	{"ocaml-interface", "ocamllsp"},
	{"php", "intelephense"},
	{"protobuf", "buf bufls pbkit protols"},
	{"python", "ty ruff jedi pylsp zuban"},
	{"ruby", "ruby-lsp solargraph"},
	{"rust", "rust-analyzer"},
	{"scala", "metals"},
	{"scss", "vscode-css-language-server"},
	{"sql", ""},
	{"svelte", "svelteserver"},
	{"swift", "sourcekit-lsp"},
	{"toml", "taplo tombi"},
	{"tsx", "typescript-language-server"},
	{"typescript", "typescript-language-server"},
	{"vue", "vuels"},
	{"yaml", "yaml-language-server ansible-language-server"},
}

func helixLanguages() (names []string) {
	for _, l := range helixServers {
		names = append(names, l[0])
	}
	return names
}

func helixServersOf(language string) []string {
	for _, l := range helixServers {
		if l[0] == language {
			return strings.Fields(l[1])
		}
	}
	return nil
}

// helixLists returns the servers of each language.
func helixLists(languages []string) string {
	return joinEach(languages, "", func(l string) string {
		servers := append(helixServersOf(l), "ploke")
		return fmt.Sprintf("\n[[language]]\nname = %q\nlanguage-servers = [\"%s\"]\n", l, strings.Join(servers, `", "`))
	})
}

// adaptHelix leaves out the languages for which the rest of languages.toml names servers: the
// later of two lists would replace the earlier.
func adaptHelix(languages []string, rest []byte) (kept, byHand []string, err error) {
	var file struct {
		Language []struct {
			Name    string `toml:"name"`
			Servers []any  `toml:"language-servers"`
		} `toml:"language"`
	}
	if err := decodeTOML(rest, &file); err != nil {
		return nil, nil, err
	}
	kept = slices.Clone(languages)
	for _, l := range file.Language {
		if l.Servers == nil || !slices.Contains(kept, l.Name) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(name string) bool { return name == l.Name })
		if !slices.ContainsFunc(l.Servers, isPloke) {
			byHand = append(byHand, fmt.Sprintf(`add "ploke" to the language-servers of %s`, l.Name))
		}
	}
	return kept, byHand, nil
}

// isPloke reports whether an element of language-servers, a name or a table with one, is ours.
func isPloke(server any) bool {
	table, _ := server.(map[string]any)
	return server == "ploke" || table["name"] == "ploke"
}
