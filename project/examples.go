package project

import (
	"context"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// notableSymbols is how many symbols the questions are chosen from.
const notableSymbols = 12

// ExampleQuestions returns at most four questions that the workspace can answer, without a key
// too: what it does, who calls a function, what a type is, and what tests a function or where
// one is defined. It returns none while nothing is indexed.
func ExampleQuestions(ctx context.Context, x *index.Index) (questions []string, err error) {
	if x.Status().Symbols == 0 {
		return nil, nil
	}
	notable, err := x.NotableSymbols(ctx, notableSymbols)
	if err != nil {
		return nil, err
	}
	c := exampleChoice{index: x, notable: notable, asked: map[string]bool{}}
	called := c.related(ctx, index.Calls)
	explained := c.first(isType)
	tested := c.related(ctx, index.Tests)
	questions = []string{"What does this project do?"}
	if called != "" {
		questions = append(questions, "Who calls "+called+"?")
	}
	if explained != "" {
		questions = append(questions, "Explain "+explained)
	}
	if tested != "" {
		questions = append(questions, "Which tests cover "+tested+"?")
	} else if name := c.first(func(index.Unit) bool { return true }); name != "" {
		questions = append(questions, "Where is "+name+" defined?")
	}
	return questions, c.err
}

// An exampleChoice chooses symbols for questions, each for one question only. What it returns is
// "" if no symbol fits.
type exampleChoice struct {
	index   *index.Index
	notable []index.Unit
	asked   map[string]bool // by name
	err     error           // the first one
}

// related returns the name of the first function that another symbol has a relation to.
func (c *exampleChoice) related(ctx context.Context, relation index.Relation) string {
	return c.first(func(u index.Unit) bool {
		if isType(u) || c.err != nil {
			return false
		}
		var found []index.RelatedSymbol
		found, c.err = c.index.Overlay(nil).RelatedSymbols(ctx, []index.Unit{u})
		return slices.ContainsFunc(found, func(r index.RelatedSymbol) bool { return r.Relation == relation })
	})
}

// first returns the name of the first symbol that fits.
func (c *exampleChoice) first(fits func(index.Unit) bool) string {
	for _, u := range c.notable {
		if !c.asked[u.Name] && fits(u) {
			c.asked[u.Name] = true
			return u.Name
		}
	}
	return ""
}

func isType(u index.Unit) bool {
	return u.Kind != syntax.KindFunction && u.Kind != syntax.KindMethod
}
