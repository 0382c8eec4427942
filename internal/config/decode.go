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

// decoder takes the values of one layer, those it can.
type decoder struct {
	layer    Layer
	problems []Problem
}

func (d *decoder) report(key, format string, args ...any) {
	d.problems = append(d.problems, Problem{Source: d.layer.Source, Key: key, Text: fmt.Sprintf(format, args...)})
}

// decode sets target, which may hold an earlier layer's value, to value.
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
		held := reflect.New(target.Type().Elem())
		if !target.IsNil() {
			held.Elem().Set(target.Elem())
		}
		before := len(d.problems)
		d.decode(held.Elem(), value, key)
		if len(d.problems) == before {
			target.Set(held)
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
		want = "a whole number, not below zero"
		var f float64
		if f, ok = number(value); ok && f == math.Trunc(f) && f <= math.MaxInt32 {
			target.SetInt(int64(f))
		} else {
			ok = false
		}
	case reflect.Float64:
		want = "a number, not below zero"
		var f float64
		if f, ok = number(value); ok {
			target.SetFloat(f)
		}
	}
	if !ok {
		d.report(key, "%s is expected, not %v", want, value)
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
		if held := target.MapIndex(reflect.ValueOf(name)); held.IsValid() {
			entry.Set(held)
		}
		d.decode(entry, object[name], path)
		if target.IsNil() {
			target.Set(reflect.MakeMap(target.Type()))
		}
		target.SetMapIndex(reflect.ValueOf(name), entry)
	}
}

// decodeField sets the field of a struct that has this name in settings.
func (d *decoder) decodeField(target reflect.Value, name string, value any, path string) {
	index := slices.IndexFunc(reflect.VisibleFields(target.Type()), func(f reflect.StructField) bool { return f.Tag.Get("json") == name })
	if index < 0 {
		d.report(path, "there is no such setting; %s", suggest(path, siblings(target.Type(), path)))
		return
	}
	field := target.Type().Field(index)
	if allowed := strings.Fields(field.Tag.Get("oneof")); len(allowed) > 0 {
		if s, ok := value.(string); ok && s != "" && !slices.Contains(allowed, s) {
			d.report(path, "%q is not known; %s", s, suggest(s, allowed))
			return
		}
	}
	if d.layer.Workspace && field.Tag.Get("from") == "user" {
		d.refuse(target.Field(index), value, path)
		return
	}
	d.decode(target.Field(index), value, path)
}

// refuse reports a value that is the user's alone to set, unless it says what
// holds already: editors send the user's settings with the workspace's.
func (d *decoder) refuse(held reflect.Value, value any, path string) {
	said := clone(held)
	(&decoder{}).decode(said, value, path)
	if !reflect.DeepEqual(said.Interface(), clone(held).Interface()) {
		d.report(path, "it is not taken from here, where a workspace can set it: put it into the configuration file or initializationOptions")
	}
}

// clone copies a setting with all that it refers to.
func clone(v reflect.Value) reflect.Value {
	data, err := json.Marshal(v.Interface())
	c := reflect.New(v.Type())
	if err = errors.Join(err, json.Unmarshal(data, c.Interface())); err != nil {
		panic(err) // settings are plain values
	}
	return c.Elem()
}

// siblings returns the paths of a struct's settings, of which path is to be one.
func siblings(t reflect.Type, path string) (paths []string) {
	above := path[:strings.LastIndexByte(path, '.')+1]
	for _, f := range reflect.VisibleFields(t) {
		paths = append(paths, above+f.Tag.Get("json"))
	}
	return paths
}

// number returns a number that is not below zero.
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
