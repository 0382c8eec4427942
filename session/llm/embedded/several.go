package embedded

import (
	"cmp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// several answers a message that asks for several things: each part in its order, as if it were asked alone.
type several struct{ parts []partOfMessage }

type partOfMessage struct {
	message string
	asks    instruction
}

// severalOf returns the parts of a message if each of them asks what rules answer surely: something about the project,
// or about a symbol that the message names. Parts that ask the same are one.
func (p progress) severalOf() instruction {
	var x several
	named, sure := "", false
	all := lexicon.Parts(p.message)
	apart := !slices.ContainsFunc(all, func(wordings []string) bool { return !lexicon.AsksItself(wordings) })
	for _, wordings := range all {
		part, ok := p.partOf(wordings, named)
		if last := len(x.parts) - 1; last >= 0 && lexicon.OfIt(wordings[len(wordings)-1]) {
			if task := x.parts[last].task(); task != "" {
				part, ok = partOfMessage{wordings[0], howTo{task}}, true
			}
		}
		switch {
		case !ok && len(x.parts) > 0 && lexicon.OnlyAsksWhen(wordings[len(wordings)-1]):
			before, isPast := x.parts[len(x.parts)-1].asks.(past)
			_, isAbout := x.parts[len(x.parts)-1].asks.(authorsAbout)
			ok = isAbout || isPast && before.about == "authors" // the answer says when, too
		case ok:
			x.add(part)
			sure = true
		case apart:
			ok = true
			part = partOfMessage{wordings[0], half{headed{question{}}}}
			x.parts = append(x.parts, part)
		}
		if !ok {
			return nil
		}
		named = nameIn(part.asks, named)
	}
	switch {
	case !sure:
		return nil
	case len(x.parts) == 1: // the parts are one, asked twice
		return x.parts[0].asks
	}
	return x
}

// half is a part of a message that no form understands: what its search finds is said to be about it.
type half struct{ asks instruction }

func (x half) next(p progress) step {
	s := x.asks.next(p)
	if s.text != "" {
		s.text = "As for \"" + p.message + "\":\n\n" + s.text
	}
	return s
}

// task returns what one does who runs the thing that a part asks for: to run tests is to test. It returns "" if that is
// no task.
func (x partOfMessage) task() string {
	switch about := x.asks.(type) {
	case namedFiles:
		return map[string]string{"tests": "test", "benchmarks": "benchmark", "examples": "example"}[about.said]
	case howTo:
		if !strings.HasPrefix(strings.ToLower(x.message), "how") {
			return about.tasks
		}
	}
	return ""
}

// add adds a part. Tasks next to each other are one question, so that files are read once.
func (x *several) add(part partOfMessage) {
	last := len(x.parts) - 1
	if slices.ContainsFunc(x.parts, func(other partOfMessage) bool { return sameInstruction(other.asks, part.asks) }) {
		return
	}
	if task, isTask := part.asks.(howTo); isTask && last >= 0 {
		if before, both := x.parts[last].asks.(howTo); both {
			tasks := strings.Fields(before.tasks)
			for _, t := range strings.Fields(task.tasks) {
				if !slices.Contains(tasks, t) {
					tasks = append(tasks, t)
				}
			}
			x.parts[last].asks = howTo{strings.Join(tasks, " ")}
			return
		}
	}
	x.parts = append(x.parts, part)
}

// partOf returns what the first of some wordings asks that is understood surely. A pronoun stands for what was named
// before.
func (p progress) partOf(wordings []string, named string) (partOfMessage, bool) {
	for _, message := range wordings {
		if named != "" {
			if whole, ok := lexicon.WithNamed(message, named); ok {
				message = whole
			}
		}
		part := p
		part.message = message
		asks := part.understoodAlone()
		if asks == (fact{"modules"}) && !strings.Contains(wordings[len(wordings)-1], " ") {
			asks = dependencies{} // the word alone is among what else is needed
		}
		if m := whatIs.FindStringSubmatch(lexicon.Plain(message)); m != nil && (p.IsProject(lexicon.Bare(m[1])) ||
			named == "" && m[1] == "it") {
			asks = overview{}
		}
		if isSure(asks) {
			return partOfMessage{message, asks}, true
		}
	}
	return partOfMessage{}, false
}

// isSure reports whether an instruction asks about the project as a whole, or about a name that can hardly be a word.
func isSure(asks instruction) bool {
	switch asks.(type) {
	case howTo, fact, dependencies, guide, overview, past, counts, largest, longest, namedFiles, section,
		said, mentioned, authorsAbout, dependsOn, entryPoints, workspaceMembers, demo, inquiry:
		return true
	}
	name := nameIn(asks, "")
	return name != "" && lexicon.LooksLikeCode(name)
}

// nameIn returns the name that an instruction is about, else the one from before.
func nameIn(asks instruction, before string) string {
	switch about := asks.(type) {
	case past:
		return cmp.Or(about.of.name, about.of.file, before)
	case explain:
		return about.name
	case relation:
		return about.name
	}
	return before
}

// sameInstruction compares instructions, of which some hold lists.
func sameInstruction(a, b instruction) bool {
	switch x := a.(type) {
	case past:
		y, both := b.(past)
		return both && x.about == y.about && x.of == y.of && slices.Equal(x.words, y.words)
	case fact, howTo, overview, dependencies, guide, counts, relation, explain, said, demo:
		return a == b
	}
	return false
}

// next runs the parts one after the other: the results of each follow on those of the ones before.
func (x several) next(p progress) step {
	results, said := p.results, []string(nil)
	for _, part := range x.parts {
		text, used, calls := part.run(p, results)
		if calls != nil {
			return step{calls: calls}
		}
		results = results[used:]
		quoting := false
		for _, paragraph := range strings.SplitAfter(strings.TrimRight(text, "\n")+"\n\n", "\n\n") {
			quoting = quoting || strings.Contains(paragraph, "<code=")
			if quoting || !slices.Contains(said, paragraph) {
				said = append(said, paragraph)
			}
			quoting = quoting && !strings.Contains(paragraph, "</code>")
		}
	}
	return answered(strings.TrimRight(strings.Join(said, ""), "\n") + "\n")
}

// run replays a part over results, and returns its answer with the number of results that it took; or its next calls.
func (x partOfMessage) run(p progress, made []results.ToolResult) (text string, used int, calls []llm.Call) {
	p.message, p.results = x.message, nil
	for {
		s := x.asks.next(p)
		if len(s.calls) == 0 {
			return s.text, used, nil
		}
		if used+len(s.calls) > len(made) {
			return "", used, s.calls
		}
		used += len(s.calls)
		p.results = made[:used]
	}
}
