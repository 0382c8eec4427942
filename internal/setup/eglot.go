package setup

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// An eglotLanguage is a language in Emacs, with the servers that Eglot runs for it: the first one that is here.
type eglotLanguage struct {
	name    string // the modes are this with -mode and with -ts-mode behind it
	servers []string
}

// eglotLanguages has the languages that the index knows, and for which Eglot has servers.
var eglotLanguages = []eglotLanguage{
	{"c", []string{"clangd", "ccls"}},
	{"c++", []string{"clangd", "ccls"}},
	{"csharp", []string{"omnisharp -lsp", "csharp-ls"}},
	{"css", []string{"vscode-css-language-server --stdio"}},
	{"elixir", []string{"language_server.sh", "start_lexical.sh"}},
	{"go", []string{"gopls"}},
	{"html", []string{"vscode-html-language-server --stdio"}},
	{"java", []string{"jdtls"}},
	{"js", []string{"typescript-language-server --stdio"}},
	{"kotlin", []string{"kotlin-language-server"}},
	{"lua", []string{"lua-language-server", "lua-lsp"}},
	{"php", []string{"phpactor language-server", "intelephense --stdio"}},
	{"python", []string{"pylsp", "pyls", "basedpyright-langserver --stdio", "pyright-langserver --stdio",
		"jedi-language-server", "ruff server"}},
	{"ruby", []string{"solargraph stdio", "ruby-lsp"}},
	{"rust", []string{"rust-analyzer"}},
	{"scala", []string{"metals"}},
	{"tsx", []string{"typescript-language-server --stdio"}},
	{"typescript", []string{"typescript-language-server --stdio"}},
}

// eglotServer returns the server of a language that is on the PATH, with its arguments; nil if there is none.
func eglotServer(language string) []string {
	for _, l := range eglotLanguages {
		if l.name != language {
			continue
		}
		for _, server := range l.servers {
			command := strings.Fields(server)
			if _, err := exec.LookPath(command[0]); err == nil {
				return command
			}
		}
	}
	return nil
}

// eglotFound returns the languages whose server is here.
func eglotFound() (found []string) {
	for _, l := range eglotLanguages {
		if eglotServer(l.name) != nil {
			found = append(found, l.name)
		}
	}
	return found
}

// eglotEntries returns what Eglot is told of languages: those whose server is here have it together with ours, in one
// entry for each server, and all others have ours alone. The documents of ours are in each entry, since Eglot asks the
// server whose mode a buffer has. Eglot takes the last entry first, which starts ours alone for such a document.
func eglotEntries(languages []string) string {
	var servers []string // joined commands, in their order
	modes := map[string][]string{}
	for _, l := range languages {
		command := `"ploke-lsp" "serve"`
		if server := eglotServer(l); server != nil {
			command = joinEach(slices.Concat([]string{"ploke-lsp", "mux", "--"}, server), " ",
				func(word string) string { return fmt.Sprintf("%q", word) })
		}
		if modes[command] == nil {
			servers = append(servers, command)
		}
		modes[command] = append(modes[command], l+"-mode", l+"-ts-mode")
	}
	slices.SortStableFunc(servers, func(a, b string) int { // ours alone is the last one
		return strings.Count(b, "mux") - strings.Count(a, "mux")
	})
	return joinEach(servers, "\n", func(command string) string {
		own := "ploke-document-mode"
		if slices.Contains(modes[command], chatLanguage+"-mode") {
			own = "gfm-mode " + own
		}
		return fmt.Sprintf("  (add-to-list 'eglot-server-programs\n               '((%s %s) . (%s)))",
			strings.Join(modes[command], " "), own, command)
	})
}
