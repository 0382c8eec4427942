package problems

import (
	"cmp"
	"errors"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"ploke-lsp/internal/syntax"
)

func checkGoMod(text []byte) *syntax.Problem {
	_, err := modfile.Parse("go.mod", text, someVersion)
	return moduleProblem(err)
}

func checkGoWork(text []byte) *syntax.Problem {
	_, err := modfile.ParseWork("go.work", text, someVersion)
	return moduleProblem(err)
}

// someVersion stands for what the go command makes of a branch, or of latest.
func someVersion(path, version string) (string, error) {
	if module.CanonicalVersion(version) != "" {
		return version, nil
	}
	_, major, _ := module.SplitPathVersion(path)
	return cmp.Or(module.PathMajorPrefix(major), "v0") + ".0.0", nil
}

// moduleProblem returns the first of the errors of a module file.
func moduleProblem(err error) *syntax.Problem {
	var list modfile.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return nil
	}
	reason := list[0].Err.Error()
	if module := cmp.Or(list[0].ModPath, list[0].Verb); module != "" {
		reason = module + ": " + reason
	}
	return &syntax.Problem{Line: list[0].Pos.Line, Message: reason}
}
