package syntax

import "fmt"

// ParseOnly parses text and throws the tree away: the least that understanding a text
// costs, which the benchmark compares with. It fails as Parse does.
func ParseOnly(language string, text []byte) error {
	resolve, ok := grammars[language]
	if !ok {
		return fmt.Errorf("no grammar for the language %q", language)
	}
	g := resolve()
	w := pool.Get().(*scratch)
	defer pool.Put(w)
	if g.scan != nil {
		w.nodes = g.scanned(w.nodes[:0], text)
		return nil
	}
	parsed, err := w.parse(g, g.readable(text), nil)
	if err != nil {
		return err
	}
	parsed.Close()
	return nil
}
