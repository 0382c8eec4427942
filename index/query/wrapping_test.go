package query

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEndsPolitely lets afterQuestion look at each line that it may match.
func TestEndsPolitely(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	choice := func(all ...string) string { return all[r.IntN(len(all))] }
	ends := map[string]bool{}
	for range 20_000 {
		line := choice("where is the parser", "parse", "what is it") + choice(" ", ", ", "? ", " - ") + choice(
			choice("please", "pls", "thanks", "thank you", "THX", "cheers", "many thanks")+
				choice("", " a lot", " so much", " very much", " in advance", " for your help"),
			choice("", "and ", "or ")+"where "+choice("i can", "can i", "do i", "to")+" find "+choice("it", "them", "that", "this"),
			"if you "+choice("can", "could", "know", "don't mind", "do not mind")) + choice("", "!", ".", " ?", "\r", "...\t")
		if at := afterQuestion.FindStringIndex(line); at == nil {
			t.Fatalf("%q does not end politely", line)
		}
		if !endsPolitely(line) {
			t.Errorf("%q is taken for a line that does not end politely", line)
		}
		ends[strings.ToLower(line[strings.LastIndexByte(strings.TrimRight(line, " .!?\r\t"), ' ')+1:])] = true
	}
	if len(ends) < len(lastWords) {
		t.Errorf("%d ends were tried", len(ends))
	}
	if endsPolitely("where is the parser") {
		t.Error("a plain question is looked at")
	}
}

// TestBeginsPolitely lets beforeQuestion and askedName look at each line that they may match.
func TestBeginsPolitely(t *testing.T) {
	for _, begin := range []string{"Hi", "hello there,", "hey:", "ok,", "okay -", "so,", "well,", "sorry,", "please,", "quick question:",
		"question:", "please", "pls", "kindly", "could you tell me", "can someone show", "would you please explain", "will you help",
		"tell me", "show us", "explain me", "remind me", "i'd like to know", "I would love to see", "i want to find", "I'm trying to learn",
		"i am wondering", "I was curious about", "do you know", "does anyone know", "any idea", "have you an idea", "do you have any clue"} {
		line := begin + " "
		if at := beforeQuestion.FindStringIndex(begin + ", where"); at == nil {
			t.Errorf("%q does not begin politely", line)
		}
		if !politeWords[firstWord("  "+line)] {
			t.Errorf("%q is taken for a line that does not begin politely", line)
		}
	}
	for _, ask := range []string{"where's", "where is", "Where are", "where was", "where do we find", "where do i find", "where can i find",
		"what's", "what is", "what does", "what are", "find", "show", "open", "go to", "look up", "the definition of", "definition of",
		"declaration for", "implementation of", "source of", "code for"} {
		if got := unwrapped(" " + ask + " parseConfig"); got != "parseConfig" {
			t.Errorf("%q asks for %q", ask, got)
		}
	}
}
