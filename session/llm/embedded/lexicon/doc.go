// Package lexicon has the words of the embedded model: which words say nothing about code, how names are written, how
// people wrap a question, which languages a question may be in, and what their words mean in English.
//
// Its promises:
//
//   - It knows no tool and no project: what it returns depends on its arguments only.
//   - What it holds is never changed. It may be used by several goroutines at once.
package lexicon
