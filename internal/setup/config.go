package setup

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

//go:embed text
var texts embed.FS

// chatLanguage is in each list of languages: chat documents are Markdown.
const chatLanguage = "markdown"

// languageName matches what clients call a language. Nothing in it ends a string or a list in a
// configuration.
var languageName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+#._-]*$`)

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
			return nil, fmt.Errorf("the language servers that %s has for %s are not known here: add %s to them by hand", c.Title, l, `"ploke"`)
		}
	}
	if !slices.Contains(languages, chatLanguage) {
		languages = append(slices.Clip(languages), chatLanguage)
	}
	return languages, nil
}

// render fills the template of the configuration.
func (c *Client) render(languages []string) (string, error) {
	t, err := template.New(c.text).Funcs(template.FuncMap{"servers": helixServersOf, "alternatives": alternatives}).ParseFS(texts, "text/"+c.text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, struct{ Languages []string }{languages})
	return b.String(), err
}

// alternatives returns a regular expression that matches each of some words.
func alternatives(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(quoted, "|")
}
