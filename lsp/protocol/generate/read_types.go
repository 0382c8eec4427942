package generate

import (
	"cmp"
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A typeReader reads the types that methods use. The first error stays in err.
type typeReader struct {
	*source
	types map[string]*Type
	err   error
}

// use reads a type and returns its name; empty if there is none.
func (r *typeReader) use(t reflect.Type) string {
	if t == nil {
		return ""
	}
	r.read(t.Name())
	return t.Name()
}

func (r *typeReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// read reads a type with all types that it uses.
func (r *typeReader) read(name string) *Type {
	if t := r.types[name]; t != nil {
		return t
	}
	t := &Type{Name: name, Doc: r.typeDocs[name]}
	r.types[name] = t
	spec := r.source.types[name]
	if spec == nil || t.Doc == "" {
		r.fail("the type %s is missing, or has no doc comment", name)
		return t
	}
	switch underlying := spec.Type.(type) {
	case *ast.StructType:
		r.readFields(t, underlying)
		r.readVariants(t)
	case *ast.Ident:
		t.Values = r.values(name)
		if underlying.Name != "string" || len(t.Values) == 0 {
			r.fail("the type %s is neither a struct nor a string with values", name)
		}
	default:
		r.fail("the type %s is neither a struct nor a string with values", name)
	}
	return t
}

// values returns the constants of a type.
func (s *source) values(typeName string) (values []Value) {
	for _, name := range s.order {
		if c := s.constants[name]; c.typeName == typeName {
			value, _ := strconv.Unquote(c.value)
			values = append(values, Value{name, value, withoutName(c.doc, name)})
		}
	}
	return values
}

func (r *typeReader) readFields(t *Type, s *ast.StructType) {
	for _, f := range s.Fields.List {
		tag := tagOf(f)
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		switch embedded := len(f.Names) == 0; {
		case embedded && options == "inline":
			r.readGroup(t, f.Type.(*ast.Ident).Name)
			continue
		case embedded:
			t.Embeds = r.read(f.Type.(*ast.Ident).Name)
			continue
		}
		if name == "" || len(f.Names) != 1 {
			r.fail("%s.%s has no name in JSON", t.Name, f.Names[0].Name)
		}
		doc := cmp.Or(words(f.Doc), words(f.Comment))
		t.Fields = append(t.Fields, Field{
			Name: name, Doc: withoutName(doc, f.Names[0].Name), Type: r.ref(f.Type), Optional: options != "",
			Variants: r.fieldVariants(tag.Get("parts")),
		})
	}
}

// readGroup adds the fields of a struct that is a group of fields in Go alone.
func (r *typeReader) readGroup(t *Type, name string) {
	spec := r.source.types[name]
	if spec == nil {
		r.fail("the group %s of fields of %s is missing", name, t.Name)
		return
	}
	group, ok := spec.Type.(*ast.StructType)
	if !ok {
		r.fail("the group %s of fields of %s is not a struct", name, t.Name)
		return
	}
	r.readFields(t, group)
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(text)
}

// fieldVariants reads the tag that says in which variants a field is set.
func (r *typeReader) fieldVariants(tag string) (variants []fieldVariant) {
	for word := range strings.FieldsSeq(tag) {
		if word == "*" {
			continue
		}
		value, typeName, _ := strings.Cut(word, "=")
		value, optional := strings.CutSuffix(value, "?")
		if typeName != "" {
			r.read(typeName)
		}
		variants = append(variants, fieldVariant{value, optional, typeName})
	}
	return variants
}

// readVariants sets the variants of a struct: one for each value of its field "type", if its other
// fields depend on that.
func (r *typeReader) readVariants(t *Type) {
	if !slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Variants != nil }) {
		return
	}
	known := 0
	for _, value := range r.read("PartType").Values {
		v := Variant{Name: value.Go, Value: value.Value, Doc: value.Doc}
		for _, f := range t.Fields {
			at := slices.IndexFunc(f.Variants, func(fv fieldVariant) bool { return fv.value == value.Value })
			switch {
			case f.Variants == nil:
			case at < 0:
				continue
			default:
				known++
				f.Optional = f.Variants[at].optional
				if name := f.Variants[at].typeName; name != "" {
					f.Type = Ref{Kind: Named, Name: name}
				}
			}
			v.Fields = append(v.Fields, f)
		}
		t.Variants = append(t.Variants, v)
	}
	for _, f := range t.Fields {
		known -= len(f.Variants)
	}
	if known != 0 {
		r.fail("a field of %s names a variant that does not exist", t.Name)
	}
}

var basic = map[string]Kind{"string": String, "bool": Bool, "int": Integer, "int32": Integer, "int64": Integer,
	"float64": Number, "Token": Token}

// ref returns the type of a field.
func (r *typeReader) ref(e ast.Expr) Ref {
	switch e := e.(type) {
	case *ast.StarExpr:
		return r.ref(e.X)
	case *ast.ArrayType:
		of := r.ref(e.Elt)
		return Ref{Kind: List, Of: &of}
	case *ast.MapType:
		of := r.ref(e.Value)
		return Ref{Kind: Map, Of: &of}
	case *ast.Ident:
		if kind, ok := basic[e.Name]; ok {
			return Ref{Kind: kind}
		}
		r.read(e.Name)
		return Ref{Kind: Named, Name: e.Name}
	case *ast.SelectorExpr:
		switch pkg := e.X.(*ast.Ident).Name; pkg + "." + e.Sel.Name {
		case "uri.URI":
			return Ref{Kind: URI}
		case "time.Time":
			return Ref{Kind: Time}
		case "protocol.Range", "protocol.Location", "protocol.Diagnostic":
			return Ref{Kind: LSP, Name: e.Sel.Name}
		case "protocol.LSPAny":
			return Ref{Kind: Any}
		}
	}
	r.fail("the type %#v of a field has no form on the wire", e)
	return Ref{}
}
