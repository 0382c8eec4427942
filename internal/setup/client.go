package setup

import (
	"fmt"
	"slices"
	"strings"
)

// A Client is an editor, a package of one, or an agent that can run ploke-lsp.
type Client struct {
	Name  string // as the command line names it
	Title string // as people name it

	// Languages are those that the configuration lists unless a person names others, in the
	// client's own words. It is nil if the configuration has no list.
	Languages []string

	// oneServer says that the client runs one server for each language, so that ours would take the place of another.
	oneServer bool

	// found returns more languages, whose servers run together with ours; nil if the client needs none for that.
	found func() []string

	text   string                            // the name of the configuration in the folder text
	list   func(languages []string) string   // what replaces languagesMark in it; nil if Languages is
	file   func(Environment) (string, error) // where the configuration belongs; nil if in no file
	format format                            // how a block is put into the file; nil if only a person can do it
	why    string                            // why only a person can do it
	// adapt drops the languages that the rest of the file has settled, and says what a person can
	// add there; nil if the rest makes no difference.
	adapt func(languages []string, rest []byte) (kept, byHand []string, err error)
}

// clients is the table of clients.
var clients = []*Client{
	{Name: "vscode", Title: "VS Code", text: "vscode.txt", why: "an extension brings the configuration; these commands install it"},
	{Name: "neovim", Title: "Neovim", text: "neovim.lua", file: neovimFile, format: lines{comment: "--"}},
	{Name: "helix", Title: "Helix", Languages: helixLanguages(), text: "helix.toml", list: helixLists, file: helixFile,
		format: lines{comment: "#", atEnd: true, parse: parseTOML}, adapt: adaptHelix},
	{Name: "eglot", Title: "Emacs with Eglot", Languages: []string{"markdown"}, oneServer: true, text: "eglot.el",
		found: eglotFound, list: eglotEntries, file: emacsFile, format: elisp},
	{Name: "lsp-mode", Title: "Emacs with lsp-mode", text: "lsp-mode.el", file: emacsFile, format: elisp},
	{Name: "kakoune", Title: "Kakoune with kakoune-lsp", Languages: kakouneLanguages, text: "kakoune.kak", list: alternatives, file: kakouneFile, format: lines{comment: "#"}},
	{Name: "ale", Title: "Vim with ALE", text: "ale.vim", file: aleFile, format: lines{comment: `"`, parse: refuseVim9}},
	{Name: "coc", Title: "Vim or Neovim with coc.nvim", text: "coc.json", file: cocFile, format: jsonc{}},
	{Name: "sublime", Title: "Sublime Text with LSP", text: "sublime.json", file: sublimeFile, format: jsonc{}},
	{Name: "kate", Title: "Kate", Languages: []string{"markdown"}, oneServer: true, text: "kate.json", list: kateServers, file: kateFile,
		why: "JSON in Kate's file has no comments, so nothing can mark what is ours, and Kate runs one server for each language"},
	{Name: "zed", Title: "Zed", text: "zed.json", file: zedFile, format: jsonc{}},
}

// elisp stays below the comment at the beginning, whose first line may set variables of the file.
var elisp = lines{comment: ";;", below: ";"}

// kakouneLanguages are the file types of Kakoune that the index knows.
var kakouneLanguages = strings.Fields("c cpp css dockerfile elixir go html java javascript kotlin lua markdown ocaml " +
	"php protobuf python " +
	"ruby rust scala scss sh sql svelte swift terraform toml typescript yaml")

// Clients returns all clients, in the order in which people are told of them.
func Clients() []*Client { return clients }

// Limits says in which languages alone a client has ploke-lsp, and how it gets more, if a person names no languages and
// that is not plain; else it is "".
func (c *Client) Limits(languages []string) string {
	if !c.oneServer || len(languages) > 0 {
		return ""
	}
	beside := ""
	if found, _ := c.choose(nil); len(found) > len(c.Languages) {
		beside = fmt.Sprintf("; in %s it runs together with the server that is here",
			strings.Join(found[len(c.Languages):], ", "))
	}
	return fmt.Sprintf("%s runs one server for each language, so only %s, and with it the chat, has ploke-lsp alone%s: "+
		"name other languages with --languages", c.Title, strings.Join(c.Languages, " and "), beside)
}

// otherNames are what else people call clients. Emacs has Eglot inside since version 29.
var otherNames = map[string]string{
	"nvim": "neovim", "hx": "helix", "emacs": "eglot", "vim": "ale", "code": "vscode", "vs-code": "vscode", "kak": "kakoune",
	"subl": "sublime", "sublime-text": "sublime", "coc.nvim": "coc", "claude": "claude-code",
}

// Find returns the client or agent of a name, in any case; nil if there is none.
func Find(name string) *Client {
	asked := strings.ToLower(name)
	if other, ok := otherNames[asked]; ok {
		asked = other
	}
	for _, c := range slices.Concat(clients, agents) {
		if c.Name == asked {
			return c
		}
	}
	return nil
}

// Names returns the names of all clients and agents, in the order in which people are told of them.
func Names() (names []string) {
	for _, c := range slices.Concat(clients, agents) {
		names = append(names, c.Name)
	}
	return names
}

// Path returns the absolute path of the client's configuration file, "" if it has none.
func (c *Client) Path(env Environment) (string, error) {
	if c.file == nil {
		return "", nil
	}
	return c.file(env)
}
