package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// decoder applies the values of one layer and reports the values that it can't use.
type decoder struct {
	layer    Layer
	problems []Problem
}

func (d *decoder) report(key, format string, args ...any) {
	d.problems = append(d.problems, Problem{Source: d.layer.Source, Key: key, Text: fmt.Sprintf(format, args...)})
}

// decode sets target to value. target may hold an earlier layer's value.
func (d *decoder) decode(target reflect.Value, value any, key string) {
	if value == nil || value == "" {
		return
	}
	var ok bool
	var want string
	switch target.Kind() {
	case reflect.Struct, reflect.Map:
		want = "a table of settings"
		var object map[string]any
		if object, ok = value.(map[string]any); ok {
			d.decodeObject(target, object, key)
		}
	case reflect.Pointer:
		current := reflect.New(target.Type().Elem())
		if !target.IsNil() {
			current.Elem().Set(target.Elem())
		}
		before := len(d.problems)
		d.decode(current.Elem(), value, key)
		if len(d.problems) == before {
			target.Set(current)
		}
		return
	case reflect.Slice:
		want = "a list of strings"
		ok = setStrings(target, value)
	case reflect.String:
		want = "a string"
		var s string
		if s, ok = value.(string); ok {
			target.SetString(s)
		}
	case reflect.Bool:
		want = "true or false"
		var b bool
		if b, ok = value.(bool); ok {
			target.SetBool(b)
		}
	case reflect.Int:
		want = "a whole number of at least zero"
		var f float64
		if f, ok = number(value); ok && f == math.Trunc(f) && f <= math.MaxInt32 {
			target.SetInt(int64(f))
		} else {
			ok = false
		}
	case reflect.Float64:
		want = "a number of at least zero"
		var f float64
		if f, ok = number(value); ok {
			target.SetFloat(f)
		}
	}
	if !ok {
		d.report(key, "it must be %s, not %v", want, value)
	}
}

func (d *decoder) decodeObject(target reflect.Value, object map[string]any, key string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		path := strings.TrimPrefix(key+"."+name, ".")
		if target.Kind() == reflect.Struct {
			d.decodeField(target, name, object[name], path)
			continue
		}
		entry := reflect.New(target.Type().Elem()).Elem()
		if current := target.MapIndex(reflect.ValueOf(name)); current.IsValid() {
			entry.Set(current)
		}
		d.decode(entry, object[name], path)
		if target.IsNil() {
			target.Set(reflect.MakeMap(target.Type()))
		}
		target.SetMapIndex(reflect.ValueOf(name), entry)
	}
}

// decodeField sets the field of a struct with the given name in settings.
func (d *decoder) decodeField(target reflect.Value, name string, value any, path string) {
	fields := reflect.VisibleFields(target.Type())
	index := slices.IndexFunc(fields, func(f reflect.StructField) bool { return f.Tag.Get("json") == name })
	if index < 0 {
		d.report(path, "there is no such setting; %s", suggest(path, siblings(target.Type(), path)))
		return
	}
	field := fields[index]
	if allowed := strings.Fields(field.Tag.Get("oneof")); len(allowed) > 0 {
		list, _ := value.([]any)
		for _, element := range append(list, value) {
			if s, ok := element.(string); ok && s != "" && !slices.Contains(allowed, s) {
				d.report(path, "%q is not known; %s", s, suggest(s, allowed))
				return
			}
		}
	}
	if d.layer.Workspace && field.Tag.Get("from") == "user" {
		d.refuse(target.FieldByIndex(field.Index), value, path)
		return
	}
	d.decode(target.FieldByIndex(field.Index), value, path)
}

// refuse reports a value that only the user may set, unless it equals the current value.
// Editors send the user's settings along with the workspace's.
func (d *decoder) refuse(current reflect.Value, value any, path string) {
	provided := clone(current)
	(&decoder{}).decode(provided, value, path)
	if !reflect.DeepEqual(provided.Interface(), clone(current).Interface()) {
		d.report(path, "it is ignored here, because a workspace can set it: put it into the configuration file or "+
			"initializationOptions")
	}
}

// clone returns a deep copy of a setting.
func clone(v reflect.Value) reflect.Value {
	data, err := json.Marshal(v.Interface())
	c := reflect.New(v.Type())
	if err = errors.Join(err, json.Unmarshal(data, c.Interface())); err != nil {
		panic(err) // settings are plain values
	}
	return c.Elem()
}

// siblings returns the paths of all settings in a struct. path is one of them, or a
// misspelled one.
func siblings(t reflect.Type, path string) (paths []string) {
	above := path[:strings.LastIndexByte(path, '.')+1]
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous { // its fields are visible, too
			paths = append(paths, above+f.Tag.Get("json"))
		}
	}
	return paths
}

// number returns a finite number that is not negative.
func number(value any) (f float64, ok bool) {
	switch n := value.(type) {
	case float64:
		f, ok = n, true
	case int64:
		f, ok = float64(n), true
	}
	return f, ok && f >= 0 && !math.IsInf(f, 1)
}

func setStrings(target reflect.Value, value any) bool {
	list, ok := value.([]any)
	strings := make([]string, 0, len(list))
	for _, element := range list {
		s, isString := element.(string)
		ok = ok && isString
		strings = append(strings, s)
	}
	if ok {
		target.Set(reflect.ValueOf(strings))
	}
	return ok
}
