package tools

import (
	"context"
	"fmt"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// othersShown is how many places of the same name a result names.
const othersShown = 3

// otherPlaces are places with a symbol's name that could not be resolved to it.
type otherPlaces struct {
	Name  string      `json:"name"`
	Count int         `json:"count"`
	First []edgePlace `json:"first,omitempty"`
}

// edgePlace is a line of a file.
type edgePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// othersNamed returns places that have a symbol's name, nil if there are none.
func othersNamed(ctx context.Context, srcs *current.Files, name string,
	places []index.ReferencePlace) (*otherPlaces, error) {
	if len(places) == 0 {
		return nil, nil
	}
	o := &otherPlaces{Name: name, Count: len(places)}
	for _, p := range places {
		if len(o.First) == othersShown {
			break
		}
		src, err := srcs.At(ctx, p.Path)
		switch {
		case err == nil && p.Start <= len(src.Text):
			o.First = append(o.First, edgePlace{p.Path, src.LineOf(p.Start)})
		case err != nil && !current.Unavailable(err):
			return nil, err
		}
	}
	return o, nil
}

// line says how many other places there are, where the first ones are, and what finds them all; "" without any.
func (o *otherPlaces) line(w *wording.Writer) string {
	if o == nil {
		return ""
	}
	var first []string
	for _, p := range o.First {
		first = append(first, fmt.Sprintf("%s:%d", w.Path(p.File), p.Line))
	}
	if o.Count > len(first) {
		first = append(first, "…")
	}
	return fmt.Sprintf("%s with that name could not be resolved (%s): %s", wording.Plural(o.Count, "other place"),
		strings.Join(first, ", "), findOthers(o.Name))
}

// findOthers says how the places of a name are found that are not known to mean a symbol.
func findOthers(name string) string { return "search_text for " + name + " finds them" }

// leftByRename says how many places a rename has left because they could not be resolved to the symbol, or mean
// another one.
func leftByRename(name string, count int) string {
	return fmt.Sprintf("left %s with that name that could not be resolved to it: %s", wording.Plural(count, "other place"),
		findOthers(name))
}
