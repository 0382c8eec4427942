package graph

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// receiver identifies a Go type by its folder and name.
type receiver struct {
	dir  *shardFolder
	name string
}

// methodsOf returns the methods of a Go interface, and of the interfaces that it embeds.
func (h hierarchy) methodsOf(self symbol, depth int) (methods []symbol) {
	for i := range self.table().Count() {
		if s := self.table().At(i); s.Parent == self.at && s.Kind == syntax.KindMethod {
			methods = append(methods, symbol{self.Module, i})
		}
	}
	if depth > 0 {
		for _, embedded := range h.parents(self) {
			methods = append(methods, h.methodsOf(embedded, depth-1)...)
		}
	}
	return methods
}

// receivers returns the types that have a method with that name and shape.
func (h hierarchy) receivers(method symbol) map[receiver]bool {
	name := string(method.decl().Name)
	files := &h.declaring(name).all
	if !exported(name) {
		files = h.declaring(name).in(method.Dir)
	}
	having := map[receiver]bool{}
	want := h.shape(method)
	for _, s := range h.declared(name, h.modulesOf(files)) {
		if s.name == "go" && s.decl().Kind == syntax.KindMethod && s.decl().Parent < 0 &&
			h.shape(s).fits(want, s.Dir == method.Dir) {
			having[receiver{s.Dir, s.owner()}] = true
		}
	}
	return having
}

// shape is the types of a Go method's parameters and results, as its text has them.
type shape struct{ parameters, results []string }

// fits reports whether a method with this shape implements one with another in the same package, or in another one.
func (s shape) fits(o shape, samePackage bool) bool {
	fit := func(a, b string) bool { return sameType(a, b, samePackage) }
	return slices.EqualFunc(s.parameters, o.parameters, fit) && slices.EqualFunc(s.results, o.results, fit)
}

// sameType reports whether two texts may be of one type. A package has different names in different files, and none in
// its own; a single capital letter is a type parameter.
func sameType(a, b string, samePackage bool) bool {
	if a == b {
		return true
	}
	aType, aPackage := cutPackage(a)
	bType, bPackage := cutPackage(b)
	switch {
	case len(aType) == 1 && exported(aType) || len(bType) == 1 && exported(bType):
		return true
	case samePackage && (aPackage == "") != (bPackage == ""):
		return false
	}
	return aType == bType
}

// cutPackage returns a type without the packages in its text, and the first of these.
func cutPackage(text string) (bare, of string) {
	qualifiers := goQualifier.FindAllString(text, -1)
	if len(qualifiers) == 0 {
		return text, ""
	}
	return goQualifier.ReplaceAllString(text, ""), qualifiers[0]
}

var goQualifier = lazyregexp.New(`\b\w+\.`)

func (h hierarchy) shape(method symbol) (s shape) {
	known, ok := h.shapes[method]
	if ok {
		return known
	}
	src := h.text(method.Module)
	sym := method.full()
	if src == nil || sym.End > len(src.Text) {
		return s
	}
	end := sym.BodyStart
	if sym.BodyStart <= sym.NameEnd {
		end = sym.End
	}
	parameters, rest := cutList(strings.TrimSpace(string(src.Text[sym.NameEnd:end])))
	s.parameters = typesOfList(parameters)
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "(") {
		rest, _ = cutList(rest)
	}
	s.results = typesOfList(rest)
	h.shapes[method] = s
	return s
}

// typesOfList returns the types in a list of parameters or results, which may have names.
func typesOfList(list string) (types []string) {
	elements := splitList(list)
	named := slices.ContainsFunc(elements, func(e string) bool { return goNamed.MatchString(e) })
	of := ""
	for _, e := range slices.Backward(elements) {
		if name := goNamed.FindString(e); named && name != "" {
			of = e[len(name):]
		} else if !named || of == "" {
			of = e
		}
		types = append(types, strings.ReplaceAll(strings.ReplaceAll(of, " ", ""), "interface{}", "any"))
	}
	slices.Reverse(types)
	return types
}

// goNamed matches the name of a parameter with its type behind it.
var goNamed = lazyregexp.New(`^\w+\s+(?:\.\.\.)?`)

// cutList splits a text that begins with a parenthesized list into the content of the list
// and the remaining text.
func cutList(text string) (list, rest string) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// splitList returns the elements of a list.
func splitList(list string) (elements []string) {
	start, depth := 0, 0
	add := func(end int) {
		if e := strings.TrimSpace(list[start:end]); e != "" {
			elements = append(elements, e)
		}
		start = end + 1
	}
	for i, c := range list {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	if start < len(list) {
		add(len(list))
	}
	return elements
}
