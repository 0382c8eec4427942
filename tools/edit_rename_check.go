package tools

import (
	"context"
	"fmt"
	"path/filepath"

	"ploke-lsp/index"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

var identifier = lazyregexp.New(`^[\pL_$][\pL\pM\pN_$]*[!?]?$`)

// checkRename refuses a new name that is not an identifier, or that is taken where the symbol is declared.
func checkRename(ctx context.Context, srcs *current.Files, src *current.File, sym syntax.Symbol,
	e placing.Request) error {
	switch {
	case e.Old != "" || e.New != nil || e.Code != "":
		return wording.BadValue("new_name", "new_name renames a symbol, and the edit has code or text, too",
			"make them two edits")
	case string(src.Text[sym.NameStart:sym.NameEnd]) != sym.Name || !identifier.MatchString(sym.Name):
		return wording.BadValue("canon", sym.Canon+" has no name that can be renamed everywhere",
			"change it with old and new")
	case !identifier.MatchString(e.NewName):
		return wording.BadValue("new_name", "new_name is not an identifier", "send the name alone, without its container")
	case e.NewName == sym.Name:
		return &wording.Failure{Message: sym.Canon + " already has this name", Code: "no_change", Field: "new_name",
			Hint: "leave this edit out"}
	}
	if trait := implementedTrait(src, sym); trait != "" {
		units, _, err := srcs.Index.Lookup(ctx, index.LookupQuery{Name: trait, Kind: syntax.KindTrait})
		if err != nil {
			return err
		}
		if len(units) == 0 {
			return &wording.Failure{Message: fmt.Sprintf("%s implements the trait %s, which the workspace does not declare",
				sym.Canon, trait), Code: "declared_elsewhere", Field: "new_name", Hint: "leave its name"}
		}
	}
	canon := e.NewName
	if sym.Parent >= 0 {
		canon = src.CanonOf(sym.Parent) + "::" + e.NewName
	}
	taken := src.Symbols(src.Where(func(other syntax.Symbol) bool { return syntax.Plain(other.Canon) == canon }))
	if len(taken) == 0 && sym.Parent < 0 {
		units, _, err := srcs.Index.Lookup(ctx, index.LookupQuery{Name: canon})
		if err != nil {
			return err
		}
		for _, u := range units {
			if u.Canon == canon && u.Language == src.Language && u.Path != src.Path &&
				filepath.Dir(u.Path) == filepath.Dir(src.Path) && src.Language == "go" {
				return &wording.Failure{Message: fmt.Sprintf("%s is declared in %s, line %d", canon, u.Rel, u.StartLine),
					Code: "taken", Field: "new_name", Hint: "choose another name"}
			}
		}
	}
	if len(taken) > 0 {
		return &wording.Failure{Message: fmt.Sprintf("%s is declared in %s, line %d", canon, src.Rel, taken[0].StartLine),
			Code: "taken", Field: "new_name", Hint: "choose another name"}
	}
	return nil
}

// implementedTrait returns the name of the trait that a member of an impl of Rust is for, "" for none.
func implementedTrait(src *current.File, sym syntax.Symbol) string {
	if src.Language != "rust" || sym.Parent < 0 || src.Syntax().Symbols[sym.Parent].Kind != syntax.KindImpl {
		return ""
	}
	return src.Syntax().Symbols[sym.Parent].Detail
}
