package lspcheck

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// A mistake is a violation of a rule by a part of a message.
type mistake struct {
	rule Rule
	text string
}

// conform returns what is wrong with a value as a type; at is its place in the message.
func (m *metaModel) conform(value any, t *metaType, at string) []mistake {
	switch t.Kind {
	case "base":
		return conformBase(value, t.Name, at)
	case "reference":
		return m.conformReference(value, t.Name, at)
	case "array":
		list, ok := value.([]any)
		if !ok {
			return wrongType(value, "an array", at)
		}
		return m.conformEach(list, func(int) *metaType { return t.Element }, at)
	case "tuple":
		list, ok := value.([]any)
		if !ok || len(list) != len(t.Items) {
			return wrongType(value, fmt.Sprintf("an array of %d elements", len(t.Items)), at)
		}
		return m.conformEach(list, func(i int) *metaType { return t.Items[i] }, at)
	case "map":
		return m.conformMap(value, t, at)
	case "or":
		return m.conformUnion(value, t.Items, at)
	case "stringLiteral":
		if value != t.text {
			return wrongType(value, fmt.Sprintf("%q", t.text), at)
		}
		return nil
	case "and":
		all := map[string]*property{}
		for _, part := range t.Items {
			maps.Copy(all, m.structures[part.Name])
		}
		return m.conformObject(value, all, at)
	case "literal":
		return m.conformObject(value, t.properties, at)
	}
	panic("the meta model has a type of the unknown kind " + t.Kind)
}

func wrongType(value any, want, at string) []mistake {
	return []mistake{{RuleType, fmt.Sprintf("%s is %s, not %s", at, describe(value), want)}}
}

func (m *metaModel) conformEach(list []any, typeOf func(int) *metaType, at string) (wrong []mistake) {
	for i, element := range list {
		wrong = append(wrong, m.conform(element, typeOf(i), fmt.Sprintf("%s[%d]", at, i))...)
	}
	return wrong
}

func (m *metaModel) conformMap(value any, t *metaType, at string) (wrong []mistake) {
	o, ok := value.(object)
	if !ok {
		return wrongType(value, "an object", at)
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		wrong = append(wrong, m.conform(key, t.Key, at+"'s key")...)
		wrong = append(wrong, m.conform(o[key], t.mapValue, at+"."+key)...)
	}
	return wrong
}

// conformUnion returns what is wrong with value as the alternative that fits best: one of the same
// form with the fewest mistakes.
func (m *metaModel) conformUnion(value any, alternatives []*metaType, at string) (fewest []mistake) {
	weight := func(wrong []mistake) int {
		if strings.HasPrefix(wrong[0].text, at+" is ") { // it has another form
			return math.MaxInt
		}
		return len(wrong)
	}
	for _, t := range alternatives {
		wrong := m.conform(value, t, at)
		if len(wrong) == 0 {
			return nil
		}
		if fewest == nil || weight(wrong) < weight(fewest) {
			fewest = wrong
		}
	}
	return fewest
}

func (m *metaModel) conformReference(value any, name, at string) []mistake {
	if name == "LSPAny" {
		return nil
	}
	if alias, ok := m.aliases[name]; ok {
		return m.conform(value, alias, at)
	}
	if e, ok := m.enumerations[name]; ok {
		wrong := conformBase(value, e.Type.Name, at)
		if len(wrong) == 0 && !e.Open &&
			!slices.ContainsFunc(e.Values, func(v struct{ Value any }) bool { return v.Value == value }) {
			return wrongType(value, "a value of "+name, at)
		}
		return wrong
	}
	wrong := m.conformObject(value, m.structures[name], at)
	if name == "Range" && len(wrong) == 0 && isBefore(field(value, "end"), field(value, "start")) {
		return []mistake{{RuleRange, at + " ends before it starts"}}
	}
	return wrong
}

func (m *metaModel) conformObject(value any, properties map[string]*property, at string) (wrong []mistake) {
	o, ok := value.(object)
	if !ok {
		return wrongType(value, "an object", at)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if p, ok := properties[name]; ok {
			wrong = append(wrong, m.conform(o[name], p.Type, at+"."+name)...)
		} else {
			wrong = append(wrong, mistake{RuleUnknownField, fmt.Sprintf("%s.%s is unknown to LSP", at, name)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, ok := o[name]; !ok && !properties[name].Optional {
			wrong = append(wrong, mistake{RuleMissingField, fmt.Sprintf("%s.%s is missing", at, name)})
		}
	}
	return wrong
}

func conformBase(value any, name, at string) []mistake {
	text, isText := value.(string)
	number, isNumber := value.(float64)
	isInteger := isNumber && number == math.Trunc(number)
	ok := false
	switch name {
	case "string", "RegExp":
		ok = isText
	case "URI", "DocumentUri":
		if isText && !wellFormedURI(text) {
			return []mistake{{RuleURI, fmt.Sprintf("%s is %q, which is not a URI", at, text)}}
		}
		ok = isText
	case "integer":
		ok = isInteger && number >= math.MinInt32 && number <= math.MaxInt32
	case "uinteger":
		ok = isInteger && number >= 0 && number <= math.MaxInt32
	case "decimal":
		ok = isNumber
	case "boolean":
		_, ok = value.(bool)
	case "null":
		ok = value == nil
	}
	if !ok {
		return wrongType(value, "a value of the type "+name, at)
	}
	return nil
}

// uriCharacters are a scheme and what RFC 3986 allows behind it.
var uriCharacters = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|` +
	`%[0-9A-Fa-f]{2})*$`)

// wellFormedURI reports whether a text is a URI; one of a file must have an absolute path.
func wellFormedURI(text string) bool {
	u, err := url.Parse(text)
	if err != nil || !uriCharacters.MatchString(text) {
		return false
	}
	return u.Scheme != "file" || strings.HasPrefix(u.Path, "/")
}

// isBefore reports whether one position is before another.
func isBefore(a, b any) bool {
	aLine, bLine := number(a, "line"), number(b, "line")
	return aLine < bLine || aLine == bLine && number(a, "character") < number(b, "character")
}
