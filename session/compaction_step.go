package session

import (
	"context"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

func (v *modelView) sizeUnder(c records.Compaction) int {
	counter := v.counter()
	return counter.Scaled(v.rawUnder(c, counter))
}

// rawUnder returns the count of the next request's tokens under a compaction, without the scale.
func (v *modelView) rawUnder(c records.Compaction, counter window.Counter) int {
	n := counter.Tools(v.definitionsUnder(c))
	v.eachUnder(c, func(m messageUnder) { n += counter.Message(m.Message, m.text) })
	return n
}

// nextCompaction returns the compaction of the next step, and how many tokens the request has under it.
//
// Each measure costs the model more than the one before it, and is taken only if the request does not fit yet:
// results that it has read are shortened; the oldest turns are dropped but for a line of each; attachments that were
// pinned from dropped turns go; and at last the results are shortened that the model has just asked for. The first
// one goes far below the window, so that the next requests begin with the same bytes until much has been added.
func (v *modelView) nextCompaction(ctx context.Context) (c records.Compaction, size int, err error) {
	most := v.setup.window()
	read, asked := v.shortenable()
	c = v.frame.compaction
	c.NoHeads = false // the step changes the request anyway
	if c, size = v.shorten(c, read, most*compactTo/100); size > most {
		if err := v.loadProposals(ctx); err != nil {
			return c, size, err
		}
		options := v.frame.pastCompactions(c)
		c = v.firstFitting(c, options, v.dropLimit(options))
		c = v.firstFitting(c, unpinCompactions(c), most)
		c, size = v.shorten(c, asked, most)
	}
	return c, size, nil
}

// dropLimit returns how many tokens a request may have after messages were dropped: dropTo percent
// of what the window has besides the parts that always stay, which are much of a small one.
func (v *modelView) dropLimit(options []records.Compaction) int {
	window, stays := v.setup.window(), 0
	if n := len(options); n > 0 {
		stays = v.sizeUnder(options[n-1])
	}
	return min(stays+max(window-stays, 0)*dropTo/100, window)
}

// shorten shortens as many of the results, in their order, as the request needs to have at most
// limit tokens. size is the number of tokens that the request then has.
//
// To build and count the request for each further result would take time with the square of the conversation's length.
// So it visits the messages once. It counts the request as it is, and for each result that is still whole what
// shortening it would save, apart for its text and for the beginning that a shortened result keeps. Tokens are counted
// message by message, so these savings can just be subtracted, one call after the other, until the rest fits.
//
// The definitions of tools are counted at the end: a request with a shortened result also offers the tool that shows it
// again. If the beginnings take more than maxHeads percent of the window, or if the request still does not fit, all of
// them are dropped at once: that saves what was added up as heads.
func (v *modelView) shorten(c records.Compaction, calls []string, limit int) (_ records.Compaction, size int) {
	counter := v.counter()
	bare := c
	bare.NoHeads = true
	raw, heads := 0, 0 // of the request, and of the beginnings of shortened results, in tokens, without the scale
	type saving struct{ text, head int }
	savings := map[string]saving{} // by the call's id
	v.eachUnder(c, func(m messageUnder) {
		raw += counter.Message(m.Message, m.text)
		if m.shortened {
			heads += counter.Text(m.text) - counter.Text(m.whole.TextUnder(bare, m.text))
		} else if m.whole != nil {
			short := counter.Text(m.whole.TextUnder(c, m.text))
			savings[m.CallID] = saving{counter.Text(m.text) - short, short - counter.Text(m.whole.TextUnder(bare, m.text))}
		}
	})
	if counter.Scaled(raw+counter.Tools(v.definitionsUnder(c))) > limit {
		kept := len(c.Shortened)
		c.Shortened = slices.Concat(c.Shortened, calls)
		tools := counter.Tools(v.definitionsUnder(c))
		for _, id := range calls {
			kept++
			raw -= savings[id].text
			heads += savings[id].head
			if counter.Scaled(raw+tools) <= limit {
				break
			}
		}
		c.Shortened = c.Shortened[:kept]
	}
	raw += counter.Tools(v.definitionsUnder(c))
	size = counter.Scaled(raw)
	if bareSize := counter.Scaled(raw - heads); len(c.Shortened) > 0 &&
		(size > v.setup.window() || size-bareSize > v.setup.window()*maxHeads/100) {
		bare.Shortened = c.Shortened
		return bare, bareSize
	}
	return c, size
}

// firstFitting returns the first option under which the request has at most limit
// tokens, or the last option if there is none. Each option makes the request smaller
// than the option before it. If c already fits or there are no options, it returns c.
func (v *modelView) firstFitting(c records.Compaction, options []records.Compaction,
	limit int) records.Compaction {
	if len(options) == 0 || v.sizeUnder(c) <= limit {
		return c
	}
	i := sort.Search(len(options), func(i int) bool { return v.sizeUnder(options[i]) <= limit })
	for ; i < len(options)-1 &&
		v.sizeUnder(options[i]) > limit; i++ { // a line that is kept may be longer than its message
	}
	return options[min(i, len(options)-1)]
}

// shortenable returns the calls whose results can be shortened and are not yet, those that save the most
// first: those that the model has read, and those that its last response asked for, or that stand for one of these.
// Results that save about the same are in the order of the calls.
func (v *modelView) shortenable() (read, asked []string) {
	saving := map[string]int{}
	bare := v.frame.compaction
	bare.NoHeads = true // a small result is shorter only without its beginning
	v.eachUnder(v.frame.compaction, func(m messageUnder) {
		if m.Role == llm.Assistant && !strings.HasPrefix(m.Text, window.EmptyAnswerHead) {
			read, asked = append(read, asked...), nil
		}
		if m.whole == nil || m.shortened {
			return
		}
		if short := m.whole.TextUnder(bare, m.text); len(short) < m.whole.Size {
			saving[m.CallID] = bits.Len(uint(m.whole.Size - len(short)))
			asked = append(asked, m.CallID)
		}
	})
	cited := func(id string) bool { return v.repeats.cited[id] }
	for _, id := range read {
		if cited(id) {
			asked = append(asked, id)
		}
	}
	read = slices.DeleteFunc(read, cited)
	for _, calls := range [][]string{read, asked} {
		slices.SortStableFunc(calls, func(a, b string) int { return saving[b] - saving[a] })
	}
	return read, asked
}

// pastCompactions returns compactions that drop more and more turns of the past.
func (f *promptFrame) pastCompactions(c records.Compaction) []records.Compaction {
	var options []records.Compaction
	messages := f.past.Messages
	for i := f.past.FirstSent(c); i < len(messages); i++ {
		c.Pinned += len(messages[i].Attachments)
		if next := i + 1; next == len(messages) {
			c.From = f.id
		} else if messages[next].Role != llm.User {
			continue
		} else {
			c.From = messages[next].ID
		}
		options = append(options, c)
	}
	return options
}

// unpinCompactions returns compactions that drop more and more pinned attachments.
func unpinCompactions(c records.Compaction) []records.Compaction {
	var options []records.Compaction
	for c.Pinned > 0 {
		c.Pinned--
		options = append(options, c)
	}
	return options
}
