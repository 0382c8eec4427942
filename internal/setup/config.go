package setup

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

//go:embed text
var texts embed.FS

// chatLanguage is in each list of languages: chat documents are Markdown.
const chatLanguage = "markdown"

// languageName matches what clients call a language. Nothing in it ends a string or a list in a
// configuration.
var languageName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+#._-]*$`)

// Config returns the client's configuration for these languages, or for its own choice if there
// are none.
func (c *Client) Config(languages []string) (string, error) {
	languages, err := c.choose(languages)
	if err != nil {
		return "", err
	}
	return c.render(languages)
}

// choose returns the languages of the configuration.
func (c *Client) choose(languages []string) ([]string, error) {
	switch {
	case len(languages) == 0 && c.found != nil:
		return slices.Concat(c.Languages, c.found()), nil
	case len(languages) == 0:
		return c.Languages, nil
	case c.Languages == nil:
		return nil, fmt.Errorf("the configuration of %s lists no languages: leave out --languages", c.Title)
	}
	for _, l := range languages {
		if !languageName.MatchString(l) {
			return nil, fmt.Errorf("%q is not the name of a language", l)
		}
		if c.adapt != nil && !slices.Contains(c.Languages, l) {
			return nil, fmt.Errorf("the language servers that %s has for %s are not known here: add %s to them by hand", c.Title,
				l, `"ploke"`)
		}
	}
	if !slices.Contains(languages, chatLanguage) {
		languages = append(slices.Clip(languages), chatLanguage)
	}
	return languages, nil
}

// languagesMark stands in a configuration where its list of languages belongs.
const languagesMark = "{{languages}}"

// render puts the list of languages into the configuration. It needs no text/template, which
// calls methods by name: with it the linker keeps all methods of all types, which makes the program 9 MB larger.
func (c *Client) render(languages []string) (string, error) {
	text, err := texts.ReadFile("text/" + c.text)
	if err != nil || c.list == nil {
		return string(text), err
	}
	return strings.ReplaceAll(string(text), languagesMark, c.list(languages)), nil
}

// alternatives returns a regular expression that matches each of some words.
func alternatives(words []string) string { return joinEach(words, "|", regexp.QuoteMeta) }

// kateServers returns a server for each language.
func kateServers(languages []string) string {
	return joinEach(languages, ",\n", func(l string) string {
		return fmt.Sprintf(`    %q: {
      "command": ["ploke-lsp", "serve"],
      "rootIndicationFileNames": [".git"]
    }`, l)
	})
}

// joinEach joins what each makes of the words.
func joinEach(words []string, separator string, each func(string) string) string {
	made := make([]string, len(words))
	for i, w := range words {
		made[i] = each(w)
	}
	return strings.Join(made, separator)
}
