package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/lazyregexp"
)

// Subject is what a query names in the code. The strings only serve for comparison.
type Subject struct {
	// Names are symbols, files and lines that it mentions, texts that it quotes, the cursor's
	// place, and what it says it is about.
	Names []string
	// Words are parts of the names of symbols and of files' paths. Words of chats and tasks, such as
	// "thanks" and "fix", are left out.
	Words []string
}

// Subject returns what a query names. The search for a query without a subject finds what has
// its words by chance.
func (x *Searcher) Subject(ctx context.Context, q Query) (subject Subject, err error) {
	text := q.Text[:min(len(q.Text), MaxQueryBytes)]
	query := parseQuery(text)
	err = x.reader.OnViews(ctx, func(views []*shards.View) (err error) {
		c := newCorpus(views, newWeights(nil))
		subject = Subject{Words: c.words(text)}
		if subject.Names, err = x.mentionedPlaces(ctx, c, query, q.Editor); err != nil {
			return err
		}
		for _, term := range namesIn(text, query) {
			if c.names(term) {
				subject.Names = append(subject.Names, term)
			}
		}
		return nil
	})
	if err != nil {
		return Subject{}, fmt.Errorf("looking for what a query names: %w", err)
	}
	return subject, nil
}

// Beyond returns what of a subject is not in an earlier one.
func (s Subject) Beyond(earlier Subject) Subject {
	without := func(all, known []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(known, name) })
	}
	return Subject{without(s.Names, earlier.Names), without(s.Words, earlier.Words)}
}

// words returns the words of a text that are part of names.
func (c *corpus) words(text string) (words []string) {
	known := map[string]bool{}
	postings.Words([]byte(text), func(_ int, word []byte) {
		for _, term := range tellingTerms(string(word)) {
			if !known[term] && c.names(term) {
				words = append(words, term)
			}
			known[term] = true
		}
	})
	return words
}

var (
	// properName matches a capitalized word that does not begin a sentence.
	properName = lazyregexp.New(`[\pL\pN,;)"'] +["'(]?(\p{Lu}[\pL\pN]+)`)
	// topic matches a word that the text says it is about.
	topic = lazyregexp.New(`(?i)\babout (?:an? |the )?([\pL\pN_]+)`)
)

// namesIn returns the terms of a text's words that are meant as names: identifiers, symbols that
// are written with a capital in the middle of a sentence, and what the text says it is about.
func namesIn(text string, query parsedQuery) (terms []string) {
	for _, m := range query.mentions {
		terms = append(terms, m.term)
	}
	for _, m := range properName.FindAllStringSubmatch(text, -1) {
		terms = append(terms, postings.Exact(m[1]))
	}
	for _, m := range topic.FindAllStringSubmatch(text, -1) {
		terms = append(terms, tellingTerms(m[1])...)
	}
	return terms
}

// tellingTerms returns the terms of a word, without those of chats and tasks.
func tellingTerms(word string) []string {
	return slices.DeleteFunc(postings.Terms(word), func(term string) bool { return taskTerms[term] || chatTerms[term] })
}

// mentionedPlaces returns the units that a query identifies by their place.
func (x *Searcher) mentionedPlaces(ctx context.Context, c *corpus, query parsedQuery,
	e Editor) (places []string, err error) {
	if !refersToCursor(query.text) {
		e = Editor{} // the cursor only breaks ties
	}
	found, err := (&locator{x.reader.Texts(), ctx, c, new(scratch)}).locate(query, e)
	for _, l := range found.locations {
		v := c.views[l.view]
		places = append(places, fmt.Sprintf("%s#%d", v.Shard.Path(v.Rel(l.doc)), l.unit))
	}
	return places, err
}

// names reports whether a term is part of the name of a symbol or of a file's path.
func (c *corpus) names(term string) bool {
	for _, v := range c.views {
		list := v.Find(term)
		for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
			if !v.IsLive(doc) {
				continue
			}
			for p, ok := group.Next(); ok; p, ok = group.Next() {
				if p.In(postings.Name) || p.In(postings.Path) {
					return true
				}
			}
		}
	}
	return false
}

// chatTerms are the terms of words that people use to talk with a model about its answers and
// its changes. They name nothing in the code, even if a symbol has such a name.
var chatTerms = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`about accept again already another any anything apply back bit both bring case check code come comment
		commit compile confident continue convince correct cool couldn detail didn diff difference different document docs doesn don
		done double each easy edge else enough error even every everything example explain explanation fail fast faster feel few file find
		fine first forget forgot function further get give go good got great happen happened hello help here hey hi hmm how idea isn just
		keep know last later least less let like line little long look lot made make many maybe mean meant merge message mind moment
		morning most move much must necessary need never next nice no nope nothing ok okay old once one option other out over part
		perfect place possible previous problem project put question quick readable really reason recommend reject rename repeat revert
		review right run safe same say second see seem short shorter show simple simply since small something soon sorry start step
		still stop such suggest summarize sure take tell test thank thanks thing think third time today translate try two understand
		undo until use using very wait want way well whole without won work worse wrong write wrote yeah yes yet`) {
		for _, term := range postings.Terms(word) {
			all[term] = true
		}
	}
	return all
}()
