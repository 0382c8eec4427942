package llm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPiecesOfThoughtsAreJoinedOnce compares the bytes that are allocated for thoughts in many small pieces, and in four times as
// many: joining each piece would take sixteen times as much.
func TestPiecesOfThoughtsAreJoinedOnce(t *testing.T) {
	for name, tt := range map[string]struct{ delta, joined string }{
		"reasoning_content": {`{"role":"assistant","reasoning_content":"x"}`, "reasoning_content"},
		"reasoning":         {`{"role":"assistant","reasoning":"x"}`, "reasoning"},
		"another name":      {`{"role":"assistant","reasoning_text":"x"}`, "more.reasoning_text"},
		"no name":           {`{"role":"assistant","thinking":"x"}`, "more.thinking"},
		"details": {`{"reasoning_details":[{"type":"reasoning.text","text":"x","index":0,"format":"f"}]}`,
			"reasoning_details.0.text"},
		"summaries, no index": {`{"reasoning_details":[{"type":"reasoning.summary","summary":"x","id":"1"}]}`,
			"reasoning_details.0.summary"},
		"data": {`{"reasoning_details":[{"type":"reasoning.encrypted","data":"x","index":3}]}`, "reasoning_details.0.data"},
		"blocks": {`{"thinking_blocks":[{"type":"thinking","thinking":"x","signature":""}]}`,
			"more.thinking_blocks.0.thinking"},
	} {
		few, many := attachPieces(t, tt.delta, tt.joined, 5_000), attachPieces(t, tt.delta, tt.joined, 20_000)
		if many > 8*few {
			t.Errorf("%s: %d bytes for few pieces, %d for four times as many", name, few, many)
		}
	}
}

// attachPieces attaches thoughts in so many pieces, and returns how many bytes that has allocated. What joins them is
// under a path of the attachments.
func attachPieces(t *testing.T, piece, joined string, pieces int) (bytes uint64) {
	t.Helper()
	delta := gjson.Parse(piece)
	var before, after runtime.MemStats
	var a attaching
	runtime.ReadMemStats(&before)
	for range pieces {
		a.add(delta)
	}
	all := opaque{Chat: a.all()}.marshal()
	runtime.ReadMemStats(&after)
	if got := gjson.GetBytes(all, "chat."+joined).Str; got != strings.Repeat("x", pieces) {
		t.Errorf("%s: %d bytes are attached", joined, len(got))
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestDetailsThatGoOn has details of which each new piece looks only at the last ones, so that many details don't cost
// their number squared.
func TestDetailsThatGoOn(t *testing.T) {
	for others, want := range map[int]int{0: 1, maxOpenDetails - 1: maxOpenDetails, maxOpenDetails: maxOpenDetails + 2} {
		var d reasoningDetails
		piece := func(index int) gjson.Result {
			return gjson.Parse(fmt.Sprintf(`{"type":"reasoning.text","text":"x","index":%d}`, index))
		}
		for index := range others + 1 {
			d.add(piece(index))
		}
		d.add(piece(0))
		if got := len(d.json()); got != want {
			t.Errorf("%d others: %d details, want %d", others, got, want)
		}
	}
}

// TestMoreThoughtsOfSeveralKinds has a field that comes as a text, a list and an object in turn.
func TestMoreThoughtsOfSeveralKinds(t *testing.T) {
	for _, tt := range []struct {
		pieces []string
		want   string
	}{
		{[]string{`"a"`, `"b"`, `1`}, "1"},
		{[]string{`1`, `"a"`, `"b\u003c"`}, `"ab<"`},
		{[]string{`"a"`, `[{"text":"b"}]`, `[{"text":"c"}]`}, `[{"text":"bc"}]`},
		{[]string{`{"text":"a"}`, `[{"text":"b"}]`}, `[{"text":"ab"}]`},
		{[]string{`[{"text":"a"}]`, `"b"`, `"c"`}, `"bc"`},
		{[]string{`[{"text":"a","id":"1"}]`, `[{"text":"b","id":""}, {"text":"c","id":"2"}]`},
			`[{"id":"1","text":"ab"},{"text":"c","id":"2"}]`},
		{[]string{`[{"text":"a","id":null}]`, `[{"text":"b","id":"2"}, {"text":"c","id":"3"}]`},
			`[{"id":"2","text":"ab"},{"text":"c","id":"3"}]`},
		{[]string{`[{"text":null,"n":1}]`, `[{"text":"a","n":null}, {"text":"b","n":2}]`}, `[{"n":2,"text":"ab"}]`},
	} {
		var a attaching
		for _, piece := range tt.pieces {
			a.add(gjson.Parse(`{"thinking_x":` + piece + `}`))
		}
		if got := string(a.all().More["thinking_x"]); strings.ReplaceAll(got, `\u003c`, "<") != tt.want {
			t.Errorf("%v: %s, want %s", tt.pieces, got, tt.want)
		}
	}
}
