package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAQuotationIsCitedWhereItsTextStands has a model quote code as models do: with a relative path,
// the numbers that it saw, lines that are off, and text that is only in the editor.
func TestAQuotationIsCitedWhereItsTextStands(t *testing.T) {
	t.Parallel()
	const area = "func (c Circle) Area() float64 {\n\treturn math.Pi * square(c.Radius)\n}\n"
	for _, tt := range []struct {
		name, tag, quotation string
		want                 string // the cited lines; "" for none
		shown                string
	}{
		{"exactly", `"shapes/circle.go" #12:14`, area, "12-14", area},
		{"an absolute path", `"ROOT/shapes/circle.go" #12:14`, area, "12-14", area},
		{"lines off by two", `"shapes/circle.go" #10:12`, area, "12-14", area},
		{"lines behind the end", `"shapes/circle.go" #900:902`, area, "12-14", area},
		{"a wrong number of lines", `"shapes/circle.go" #11:15`, area, "12-14", area},
		{"a number of lines too small", `"shapes/circle.go" #12:12`, area, "12-14", area},
		{"with numbers", `"shapes/circle.go" #12:14`, " 12  func (c Circle) Area() float64 {\n 13  \treturn math.Pi * square(c.Radius)\n 14  }\n", "12-14", area},
		{"with numbers that disagree", `"shapes/circle.go" #2:4`, " 12  func (c Circle) Area() float64 {\n 13  \treturn math.Pi * square(c.Radius)\n 14  }\n", "12-14", area},
		{"shortened", `"shapes/circle.go" #11:14`, "func (c Circle) Area() float64 {\n\t...\n}\n", "11-14", "\t...\n"},
		{"a line without its end", `"shapes/circle.go" #12:12`, "func (c Circle) Area\n", "12-12", "func (c Circle) Area\n"},
		{"a brace", `"shapes/circle.go" #10:10`, "}\n", "9-9", "}\n"},
		{"a brace that is not near", `"shapes/rect.go" #90:90`, "}\n", "", "}\n"},
		{"unsaved text", `"shapes/rect.go" #1:1`, "// only in the editor\n", "3-3", "// only in the editor\n"},
		{"made up", `"shapes/circle.go" #12:14`, "func made() {\n\tup.everything()\n}\n", "", "func made() {\n"},
		{"a text that the file lacks", `"shapes/circle.go" #12:14`, "func made() {\n\tup.all()\n}\n", "", "(differs from the file)\n"},
		{"another file", `"shapes/no.go" #12:14`, area, "", area},
		{"outside", `"/etc/passwd" #1:1`, "root:x:0:0:root\n", "", "root:x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.useModel(llmtest.Turn{Text: []string{"See\n<code=" + strings.ReplaceAll(tt.tag, "ROOT", f.root) + ">\n" + tt.quotation +
				"</code>\nand more.\n"}})
			e := f.startIndexed()
			e.OpenText(f.path("shapes/rect.go"), "package shapes\n\n// only in the editor\n")
			answer := e.Ask("quote something")
			got := ""
			for _, c := range answer.Citations {
				got += fmt.Sprintf("%d-%d", c.Range.Start.Line+1, c.Range.End.Line+1)
			}
			if got != tt.want {
				t.Errorf("the lines %q are cited, want %q", got, tt.want)
			}
			if linked := strings.Contains(answer.Text, "](file:"); linked != (tt.want != "") || strings.Contains(answer.Text, "<code=") ||
				!strings.Contains(answer.Text, tt.shown) {
				t.Errorf("the answer is\n%s", answer.Text)
			}
			if strings.Contains(answer.Text, " 12  ") {
				t.Errorf("the answer has the numbers that the model copied:\n%s", answer.Text)
			}
			var history ploke.ChatHistoryResult
			e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: answer.ConversationID}, &history)
			if history.Messages[1].Text != answer.Text {
				t.Errorf("the history has another answer:\n%s", history.Messages[1].Text)
			}
		})
	}
}
