package embedded

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQuestionsAboutASymbolAreUnderstoodInManyPhrasings lists what people type, and
// what is understood.
func TestQuestionsAboutASymbolAreUnderstoodInManyPhrasings(t *testing.T) {
	run, member := target{name: "Run"}, target{name: "Server::Run"}
	about := func(t target, about string) relation { return relation{target: t, about: about} }
	defined := func(t target) explain { return explain{target: t, brief: true} }
	tests := []struct {
		want     instruction
		messages []string
	}{
		{about(run, "callers"), []string{
			"who calls Run", "Who calls Run?", "WHO CALLS Run??", "what calls Run()", "which functions call `Run`?", "where is Run called",
			"where is Run called from?", "callers of Run", "find all callers of \"Run\"", "show me the call sites of Run", "who invokes Run, please",
			"could you please tell me who calls the Run function?", "Hi! who calls Run in this project?", "is Run ever called?",
			"does anything call Run?",
			"how many callers does Run have?", "I'd like to know what calls the function Run.", "hey, can you show me where Run is called?",
			"Run callers",
			"how often is Run called", "what are the callers of Run?", "Who else calls Run right now?", "where do we call Run?",
		}},
		{about(member, "callers"), []string{
			"who calls Server.Run", "who calls Server::Run", "who calls Server#Run", "who calls Server->Run()", "who calls `Server.Run(ctx, nil)`?",
			"who calls (*Server).Run", "who calls (s *Server) Run(ctx)?", "who calls Server<T>::Run", "who calls the method Run of Server?",
			"who calls func (s *Server) Run(ctx context.Context) error", "who calls net/Server.Run", "who calls Server[T].Run",
			"who calls Server:Run",
			"who calls Run on the Server struct", "who calls self.Server.Run()", "who calls Server::Run::<u8>()", "who calls &Server.Run",
			"who calls Server.Run/2",
		}},
		{about(target{name: "Run", file: "a/b.go"}, "callers"), []string{"who calls Run in a/b.go", "who calls Run in the file `a/b.go`?"}},
		{about(target{file: "a/b.go", line: 12}, "callers"), []string{"who calls a/b.go:12", "who calls `a/b.go:12:5`?",
			"who calls line 12 of a/b.go"}},
		{about(run, "references"), []string{
			"who uses Run", "where is Run used?", "where do we use Run", "usages of Run", "find usages of Run", "find all references to Run",
			"references to Run",
			"what depends on Run?", "is Run used anywhere?", "is Run dead code?", "list the uses of Run", "what references Run",
			"Where's Run used",
			"show me where Run is used", "Run usages",
		}},
		{about(run, "implementers"), []string{
			"what implements Run", "which types implement Run?", "who implements the interface Run", "implementations of Run", "subclasses of Run",
			"which classes extend Run?", "what inherits from Run", "list all implementers of the Run interface",
		}},
		{about(run, "callees"), []string{
			"what does Run call", "what functions does Run call?", "which functions does Run() call", "what is called by Run", "callees of Run",
			"what does the Run method call?",
		}},
		{about(run, "dependencies"), []string{"what does Run use?", "what does Run depend on", "dependencies of Run"}},
		{about(run, "supertypes"), []string{"what does Run implement", "which interfaces does Run implement?", "what does Run extend",
			"base class of Run"}},
		{about(run, "tests"), []string{
			"what tests Run", "which tests cover Run?", "is Run tested?", "where is Run tested", "tests for Run", "are there any tests for Run?",
			"does Run have tests",
			"how is Run tested?", "show me the tests of Run", "what are the unit tests for Run",
		}},
		{defined(run), []string{
			"where is Run defined", "where is Run declared?", "Where's Run defined?", "where is the function Run defined", "definition of Run",
			"show me the definition of Run",
			"where does Run live?", "which file defines Run", "in which file is Run defined?", "where can I find Run", "signature of Run",
			"source of Run",
		}},
		{explain{target: run, brief: true, weak: true}, []string{"where is Run", "go to Run", "find Run", "open Run", "look up Run"}},
		{explain{target: run, weak: true}, []string{"what is Run", "What does Run do?", "how does Run work?", "tell me about Run", "Run",
			"`Run`", "Run()", "describe Run", "what is Run for?", "show me Run"}},
		{explain{target: member, weak: true}, []string{"Server.Run", "what does Server::Run do?"}},
		{explain{target: target{name: "Circle"}, weak: true, bare: true, noun: true}, []string{"what is a circle", "explain a circle"}},
		{show{target{file: "a/b.go", line: 12}}, []string{
			"a/b.go:12", "explain a/b.go:12", "what is at a/b.go:12", "show me a/b.go:12", "what is in line 12 of a/b.go", "a/b.go#L12",
			"a/b.go:12-20", "what does a/b.go:12 do?", "`a/b.go:12`", "a/b.go line 12",
		}},
		{show{target{file: "b.go"}}, []string{"b.go", "explain b.go", "what does b.go do?", "open b.go"}},
		{overview{}, []string{
			"what is this project", "What is this project about?", "what does this project do?", "give me an overview", "overview",
			"overview of the codebase", "what's this repo?",
			"summarize this project", "explain this codebase", "describe the architecture of this project", "how is this project structured?",
			"where do I start?",
			"please give me a quick overview of this repository", "what is this?", "project structure", "readme",
		}},
		{talk{"help"}, []string{"help", "Help!", "/help", "what can you do", "What can you do for me?", "what can I ask?", "how do I use this?",
			"what are your features"}},
		{talk{"greeting"}, []string{"hi", "Hello!", "hey there", "good morning", "Hallo", "hello ploke"}},
		{talk{"thanks"}, []string{"thanks", "thank you!", "Thanks a lot.", "ok", "great, thanks", "danke", "perfect"}},
		{talk{"self"}, []string{"who are you?", "what are you", "are you an AI?", "which model are you"}},
		{talk{"setup"}, []string{"how do I configure a model?", "how do I use another model", "how do I set up a model",
			"how can I connect to a local model?"}},
		{talk{"chat"}, []string{"how are you?", "tell me a joke", "what's the weather like"}},
		{question{}, []string{
			"how does the parser work", "where is the configuration read", "where are temperatures converted", "who is responsible for retries " +
				"in the client",
			"what happens when a file is deleted", "where does indexing start", "how are files created?", "what does it call?", "who calls it",
			"what uses the most memory",
			"where is the best way home", "which errors can the client return", "how does http.Server shut down gracefully", "what is the circle",
			"",
			"where does the program start, and what does it do first", "how do I add a language", "what is the difference between this and that way",
		}},
		{refusal{"write"}, []string{"write a parser", "can you write a test for Run?"}},
		{refusal{"find the bug"}, []string{"find the bug in server.go"}},
		{refusal{"review"}, []string{"review this file", "could you review my changes?"}},
	}
	for _, tt := range tests {
		for _, message := range tt.messages {
			t.Run(message, func(t *testing.T) {
				got := parseInstruction(message)
				if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(explain{}, relation{}, target{}, show{}, talk{}, refusal{}),
					cmp.Transformer("fields", func(t target) [3]any { return [3]any{t.name, t.file, t.line} })); d != "" {
					t.Error(d)
				}
			})
		}
	}
}
