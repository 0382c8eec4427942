package config

import (
	"reflect"
	"strings"
)

// An Entry documents one setting.
type Entry struct {
	// Key is the setting's path, like "limits.toolTimeout". NAME and ID stand for
	// names that the user chooses.
	Key      string
	Doc      string // plain text: lower case, no full stop
	Default  string // plain text: a literal value or words; "" if there is none
	UserOnly bool   // refused in a layer that a workspace may have written
}

// Reference returns the documentation of every setting, in the order of the
// fields of [Settings].
func Reference() []Entry {
	return appendEntries(nil, Entry{}, reflect.TypeFor[Settings]())
}

// appendEntries appends the settings of type t, whose key, texts and UserOnly
// come from the fields around it.
func appendEntries(entries []Entry, e Entry, t reflect.Type) []Entry {
	switch t.Kind() {
	case reflect.Pointer:
		return appendEntries(entries, e, t.Elem())
	case reflect.Map:
		name := ".NAME"
		if strings.Contains(e.Key, name) {
			name = ".ID"
		}
		e.Key += name
		return appendEntries(entries, e, t.Elem())
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.Anonymous { // its fields are visible, too
				continue
			}
			entries = appendEntries(entries, Entry{
				Key:      strings.TrimPrefix(e.Key+"."+f.Tag.Get("json"), "."),
				Doc:      f.Tag.Get("doc"),
				Default:  f.Tag.Get("default"),
				UserOnly: e.UserOnly || f.Tag.Get("from") == "user",
			}, f.Type)
		}
		return entries
	}
	return append(entries, e)
}
