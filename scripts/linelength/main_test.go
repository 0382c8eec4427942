package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, tt := range []struct {
		name, code string
		want       []int
	}{
		{"short", "package a\n", nil},
		{"a comment", "package a\n// " + long + "\n", []int{2}},
		{"an address", "package a\n// https://" + long + "\n", nil},
		{"a directive", "package a\n//go:generate " + long + "\n", nil},
		{"a call", "package a\nvar a = f(\"" + long + "\")\n", []int{2}},
		{"a raw string", "package a\nvar a = `\n" + long + "\n`\n", nil},
		{"a raw string in a line", "package a\nvar a = f(`" + long + "`)\n", []int{2}},
		{"a row of a table", "package a\nvar a = []struct{ a string }{\n\t{\"" + long + "\"},\n}\n", nil},
		{"a row of a map", "package a\nvar a = map[string]string{\n\t\"a\": \"" + long + "\",\n}\n", nil},
		{"an element that is computed", "package a\nvar a = []int{\n\tf(\"" + long + "\"),\n}\n", []int{3}},
		{"a tag", "package a\ntype A struct {\n\tA int `json:\"" + long + "\"`\n}\n", nil},
		{"a struct that is not a row", "package a\nvar a = T{A: \"" + long + "\"}\n", []int{2}},
	} {
		if got := longLines("a.go", []byte(tt.code), 50); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
