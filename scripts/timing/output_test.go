package main

import (
	"strings"
	"testing"
)

func TestGoOutput(t *testing.T) {
	const events = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"said by a good test\n"}
{"Action":"output","Package":"a","Test":"TestGood/part","Output":"said by its part\n"}
{"Action":"pause","Package":"a","Test":"TestGood/parallel part"}
{"Action":"pass","Package":"a","Test":"TestGood/part","Elapsed":1}
{"Action":"pass","Package":"a","Test":"TestGood/parallel part","Elapsed":4}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":2}
{"Action":"output","Package":"a","Test":"TestBad/part","Output":"why it failed\n"}
{"Action":"fail","Package":"a","Test":"TestBad/part","Elapsed":0.25}
{"Action":"fail","Package":"a","Test":"TestBad","Elapsed":0.5}
{"Action":"output","Package":"a","Test":"TestHangs","Output":"goroutine 1\n"}
{"Action":"output","Package":"a","Output":"panic: test timed out\n"}
{"Action":"output","Package":"a","Output":"FAIL\ta\t3s\n"}
{"Action":"fail","Package":"a","Elapsed":3}
{"ImportPath":"b","Action":"build-output","Output":"b.go:1: syntax error\n"}
{"Action":"output","Package":"c","Output":"PASS\n"}
{"Action":"output","Package":"c","Output":"ok  \tc\t0.1s\n"}
{"Action":"pass","Package":"c","Elapsed":0.1}
no event
`
	const want = `why it failed
FAIL	a	3s
panic: test timed out
goroutine 1
b.go:1: syntax error
ok  	c	0.1s
no event
`
	var out strings.Builder
	packages, tests, err := goOutput(strings.NewReader(events), &out)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
	checkTimes(t, "packages", packages, timed{"a", 3}, timed{"c", 0.1})
	checkTimes(t, "tests", tests, timed{"a.TestGood", 6}, timed{"a.TestBad", 0.5})
}

func checkTimes(t *testing.T, what string, got []timed, want ...timed) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: %v, want %v", what, got[i], want[i])
		}
	}
}

func TestRunKeepsAPhaseThatFails(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir, "good", []string{"sh", "-c", "echo == one; echo ok one"}); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, "bad", []string{"sh", "-c", "exit 3"}); err == nil || err.Error() != "bad: exit status 3" {
		t.Errorf("a command that fails: %v", err)
	}
	var out strings.Builder
	if err := table(dir, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\ngood ", "\nbad ", "\nall ", "\none "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table has no line that begins with %q:\n%s", want, out.String())
		}
	}
	if err := forget(dir); err != nil {
		t.Fatal(err)
	}
	if err := table(dir, &out); err == nil {
		t.Error("the table of no phases is printed")
	}
}
