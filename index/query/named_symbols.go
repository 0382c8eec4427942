package query

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// SymbolNames are the symbols that a text names exactly, as it writes them.
type SymbolNames []symbolName

// symbolName is the name of a symbol, and the one in front of it, as in Server.Run; "" if there is none.
type symbolName struct{ owner, name string }

// namePatterns match names: with the sign of a call, in quotes, and with a capital in the middle of a sentence.
var namePatterns = []*lazyregexp.Regexp{
	lazyregexp.New(`([\pL_$][\pL\pN_$.:]*)\(\)`),
	lazyregexp.New(`["'“‘]([\pL_$#][\pL\pN_$.:#]*)["'”’]`),
	lazyregexp.New(`[\pL\pN,;)"'] +["'(]?(\p{Lu}[\pL\pN_.:#]*[\pL\pN])`),
}

// NamesIn returns the symbols that a text names: identifiers, names in quotes, behind a # or with
// the sign of a call, words with a capital in the middle of a sentence, and a word that is all of
// the text. Other words may be names by chance. Files are left out.
func NamesIn(text string) SymbolNames {
	text = inOneNotation(text[:min(len(text), MaxQueryBytes)])
	var names SymbolNames
	for _, pattern := range namePatterns {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			names.add(m[1], true)
		}
	}
	words := strings.FieldsFunc(text, isSeparator)
	for _, word := range words {
		names.add(word, len(words) == 1 || strings.ContainsAny(word, "`#"))
	}
	return names
}

// add adds a word that is certainly a name, or looks like one.
func (n *SymbolNames) add(word string, certain bool) {
	word = strings.Trim(word, "`.:*&#")
	if strings.ContainsAny(word, `/\`) || syntax.Detect(word, nil) != "" {
		return
	}
	owner, name := "", word
	if at := strings.LastIndexAny(word, ".:#"); at >= 0 {
		owner, name = word[:at], word[at+1:]
		owner = owner[strings.LastIndexAny(strings.TrimRight(owner, ".:#"), ".:#")+1:]
	}
	named := symbolName{strings.Trim(owner, ".:#"), strings.TrimPrefix(name, "$")}
	if (certain || owner != "" || identifier(name)) && named.name != "" && !slices.Contains(*n, named) {
		*n = append(*n, named)
	}
}

const (
	maxNames     = 16 // of a text that are looked up
	mostDeclared = 64 // symbols that are compared for a name
)

// Named returns for each name the symbols that have it, at most mostDeclared. Of these, the ones count alone that are
// members of the symbol in front of the name, or else in the file, folder or module of that name, if there are any.
func (x *Searcher) Named(ctx context.Context, names SymbolNames) (found [][]shards.Unit, err error) {
	for _, name := range names[:min(len(names), maxNames)] {
		units, err := x.fitting(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("looking up %q: %w", name.name, err)
		}
		found = append(found, units)
	}
	return found, nil
}

// fitting returns the symbols that fit a name best.
func (x *Searcher) fitting(ctx context.Context, name symbolName) (units []shards.Unit, err error) {
	l := lookup{CurrentTexts: x.reader.Texts()}
	l.WithLines = true // their code is shown
	err = x.reader.OnViews(ctx, func(views []*shards.View) error {
		l.views, units = views, nil
		if name.owner != "" {
			if units, err = l.named(ctx, []string{name.name}, []string{name.owner}, mostDeclared); err != nil {
				return err
			}
			units = slices.DeleteFunc(units, func(u shards.Unit) bool { return name.fits(&u) < fitsOwner })
		}
		if len(units) == 0 {
			units, err = l.named(ctx, []string{name.name, "$" + name.name}, nil, mostDeclared)
		}
		return err
	})
	best := fitsName
	for i := range units {
		best = max(best, name.fits(&units[i]))
	}
	return slices.DeleteFunc(units, func(u shards.Unit) bool { return name.fits(&u) != best }), err
}

// How well a unit fits a name.
const (
	fitsNot = iota
	fitsName
	fitsModule // of the name in front
	fitsOwner  // of the symbol in front
)

func (n symbolName) fits(u *shards.Unit) int {
	switch u.Kind {
	case syntax.KindFile, syntax.KindSection, syntax.KindImpl: // the members of an impl have names of their own
		return fitsNot
	}
	if strings.TrimPrefix(u.Name, "$") != n.name {
		return fitsNot
	}
	base := path.Base(u.Rel)
	switch parents := strings.Split(syntax.Plain(u.Canon), "::"); {
	case n.owner == "":
		return fitsName
	case len(parents) > 1 && parents[len(parents)-2] == n.owner:
		return fitsOwner
	case strings.TrimSuffix(base, path.Ext(base)) == n.owner || path.Base(path.Dir(u.Rel)) == n.owner:
		return fitsModule
	}
	return fitsName
}
