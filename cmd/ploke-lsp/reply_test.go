package main

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestDecodeReply takes what a process of the folder may answer. Only a whole reply counts.
func TestDecodeReply(t *testing.T) {
	want := reply{Output: "a\n", Notices: []string{"b"}, Failed: "c"}
	for _, r := range []reply{want, {}, {Failed: "no"}} {
		encoded, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := decodeReply(encoded); !ok || !reflect.DeepEqual(got, r) {
			t.Errorf("%s is read as %+v, %v", encoded, got, ok)
		}
	}
	for _, garbage := range []string{"", "x", "null", "{}", "[]", "\xff", "5", `"Output"`, `{"Output":"a"}`, `{"Output":5,"Failed":""}`,
		`{"Output":"a","Failed":"","Other":1}`, `{"Output":"a","Failed":null}`, `{"Output":"a","Failed":"","Notices":"x"}`} {
		if got, ok := decodeReply([]byte(garbage)); ok {
			t.Errorf("%q is read as %+v", garbage, got)
		}
	}
}
