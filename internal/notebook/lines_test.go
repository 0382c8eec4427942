package notebook

import (
	"strings"
	"testing"
)

// TestLines compares each line of a view with the line of the file that it names, and goes back from there.
func TestLines(t *testing.T) {
	nb, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	v := nb.View()
	shown, file := strings.Split(string(v.Text), "\n"), strings.Split(small, "\n")
	for i, want := range []struct {
		json       string // what the line of the file has
		cell, line int
	}{
		{"  {", 1, 0}, {`"# Title\n"`, 1, 1}, {`"text"`, 1, 2},
		{"  {", 2, 0}, {`"import os\n"`, 2, 1}, {`print(`, 2, 2},
		{"  {", 3, 0}, {`"source": []`, 3, 1},
	} {
		at := v.FileLine(i + 1)
		if got := file[at-1]; !strings.Contains(got, want.json) {
			t.Errorf("line %d, %q, is line %d of the file: %q", i+1, shown[i], at, got)
		}
		if want.line > 0 && want.cell < 3 && v.ShownLine(at) != i+1 {
			t.Errorf("line %d of the file is shown as line %d, want %d", at, v.ShownLine(at), i+1)
		}
		if cell, line := v.CellLine(i + 1); cell != want.cell || line != want.line {
			t.Errorf("line %d is line %d of cell %d, want line %d of cell %d", i+1, line, cell, want.line, want.cell)
		}
	}
	if first, last, ok := v.SourceLines(2); !ok || first != 5 || last != 6 {
		t.Errorf("cell 2 has the lines %d to %d", first, last)
	}
	for _, cell := range []int{0, 4} {
		if _, _, ok := v.SourceLines(cell); ok {
			t.Errorf("there is a cell %d", cell)
		}
	}
	for _, line := range []int{-1, 0, 9, 1000} { // what is not there is near the end or the beginning
		v.FileLine(line)
		v.ShownLine(line)
		v.CellLine(line)
	}
}

// TestLinesWithoutCells looks for lines where there are none.
func TestLinesWithoutCells(t *testing.T) {
	nb, err := Parse([]byte(`{"cells": [], "nbformat": 4}`))
	if err != nil {
		t.Fatal(err)
	}
	v := nb.View()
	if cell, line := v.CellLine(1); cell != 0 || line != 0 || v.FileLine(1) != 1 || v.ShownLine(1) != 1 {
		t.Errorf("line 1 is line %d of cell %d, line %d of the file and shown as line %d", line, cell, v.FileLine(1), v.ShownLine(1))
	}
}
