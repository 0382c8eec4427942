package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/tools/arguments"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// Class says which of the engine's workers run a tool, so long calls never delay short ones.
type Class int

const (
	Short Class = iota // seconds at most
	Long               // minutes, with a timeout of its own
	// short, and mostly waits until its edits are stored together with those of other calls: see [Env].Visible
	Staging
)

// Call identifies one call of a tool. All ids are opaque strings.
type Call struct {
	ID             string // our id
	CallID         string // the model's id of the call
	RequestID      string // the turn
	ParentID       string // the user's message
	ConversationID string
	Earlier        string // id of the proposal that waited on the turn's branch when it began; "" if none did
}

// turn returns the call's turn as edits knows it.
func (c Call) turn() edits.Turn { return edits.Turn{ID: c.RequestID, Earlier: c.Earlier} }

// Env is the environment that the engine gives to a call.
type Env interface {
	Call() Call
	// LastUserMessage returns the text of the message that the turn answers.
	LastUserMessage() string
	// Record returns the stored record of an earlier call of the conversation, by the model's
	// id of the call, or [ErrNoRecord].
	Record(ctx context.Context, callID string) (Record, error)
	// AskPermission asks the user for a permission. It returns nil if the user grants it, else
	// an error that is [ErrDenied]. The call's time limit is suspended meanwhile.
	AskPermission(ctx context.Context, p Permission) error
	// Output shows people what the call prints, at once. It is no part of the result.
	Output(text string)
	// Visible says that later calls of the turn see what this call has staged. Another call that
	// stages need not wait until this one has stored it. It may be called more than once.
	Visible()
	// ResultBytes returns about how long the text of the result may be, in bytes, before it is cut because the model's
	// window has no room for more. 0 means that this is unknown.
	ResultBytes() int
}

// Permission is what a call asks the user to permit. A permanent answer is stored under Key.
type Permission struct {
	Title  string // one line: what is about to be done
	Detail string // what the user needs to see to decide; may be empty
	Key    string // identifies everything that one answer may apply to

	OnlyOnce bool // the user does not see all of what is about to be done, so that no answer holds for later
	// Exact is a narrower permission, which the user may give instead of one under Key. An answer under Key comes first.
	Exact ExactPermission
}

// ExactPermission permits exactly what the detail of a question shows. The zero value stands for none.
type ExactPermission struct {
	Title string // one line that says all by itself
	Key   string
}

// ErrDenied says that the user did not grant a permission.
var ErrDenied = errors.New("the user did not permit it")

// ErrNoRecord is returned by [Env].Record if no such call was stored.
var ErrNoRecord = errors.New("no record of this call")

// Record is the stored outcome of a call: Content and Summary, or Error.
type Record struct {
	Tool      string
	Arguments json.RawMessage
	Content   json.RawMessage
	Summary   string
	Error     string
	Secrets   []string // as in [Result]
}

// Result is the outcome of a call after which the turn can continue.
type Result struct {
	Content json.RawMessage // a JSON object; [Set.Text] is what a model reads of it
	Summary string          // one line for people, who see the tool's name with it
	OK      bool            // false: the content is a [wording.Failure]
	// Answer is the text with which the model ends the turn, if all calls of its response
	// succeed. Else it is "", or nothing comes of it.
	Answer string
	// Secrets are the secrets in the content that the files it comes from show to be secrets.
	// Each is on one line. The content alone may not show it.
	Secrets []string
}

// Tool is one tool that a model may call. Make it with [Define] or [ServerTool]. It is immutable afterwards and
// safe for concurrent use.
type Tool struct {
	Name        string
	Description string                 // for the model
	Schema      func() json.RawMessage // returns the JSON Schema of the arguments
	// returns the JSON Schema of the content of a call that succeeded; nil if that is unknown
	Output  func() json.RawMessage
	Class   Class
	Timeout time.Duration // 0: the engine's default
	// Offered reports whether requests describe the tool now. If it is nil, they always do. A
	// call of a tool that was not described runs like any other.
	Offered func() bool
	// Spare says which tools requests leave out first if a small window has no room to describe all of them: those with
	// the highest number. Tools with 0 stay.
	Spare int
	// ReadOnly says that the tool changes nothing. Calls of such tools run side by side. Any other
	// call of a response begins when the calls before it are over, and the calls behind it see
	// what it has changed.
	ReadOnly bool
	// NamesSource says that a result names the file or folder that it shows, and which part of it.
	// So equal results answer equal calls, however their arguments are written.
	NamesSource bool
	// Indexed says that the result depends on the index, and not only on the texts of files.
	Indexed bool
	// Restored are the arguments in which placeholders are replaced by secrets, in the order of
	// the schema.
	Restored []arguments.Restored

	implementation
}

// implementation is what a tool does.
type implementation struct {
	schema func() *arguments.Schema // nil if another program checks the arguments
	run    func(ctx context.Context, env Env, args json.RawMessage) (Result, error)
	text   func(w *wording.Writer, content json.RawMessage) bool
	paths  wording.Paths // may be nil
}

// Run checks args against the schema and runs the tool. If the model can correct an error, such
// as wrong arguments, Run returns a Result with OK false. An error means that the engine cannot
// continue.
func (t *Tool) Run(ctx context.Context, env Env, args json.RawMessage) (Result, error) {
	ctx, read := current.WithReadings(ctx)
	result, err := t.run(ctx, env, args)
	var failure *wording.Failure
	if errors.As(err, &failure) {
		result, err = failedResult(failure)
	}
	result.Secrets = read.In(result.Content)
	return result, err
}

// Define makes a tool from a function with a typed arguments struct. C is the type of its content,
// which says how a model reads it. The schema is derived from
// the struct: `json` tags name the fields, fields without omitempty are required, `jsonschema`
// tags describe them. Fields of embedded structs are accepted, but the model is not told of them.
// Slips with only one meaning are corrected, other unknown fields refused.
// `secrets` tags declare the arguments that get secrets for placeholders: see
// [arguments.Restored]. The function returns the result of [OK], or a [*wording.Failure] as its error if
// the model can correct the call. The schemas are made when they are first needed, because making them takes longer
// than the start of a program. That panics if a type has no schema.
func Define[C Content, Args any](name, description string, class Class,
	run func(context.Context, Env, Args) (Result, error)) *Tool {
	schema, output := onceMade(name, arguments.For[Args]), onceMade(name, arguments.Output[C])
	restored, err := arguments.RestoredIn(reflect.TypeFor[Args]())
	if err != nil {
		panic(fmt.Sprintf("tools: %s: %v", name, err))
	}
	return &Tool{
		Name:        name,
		Description: strings.TrimSpace(description),
		Schema:      func() json.RawMessage { return schema().Source },
		Output:      output,
		Class:       class,
		Restored:    restored,
		implementation: implementation{
			schema: schema,
			text:   contentText[C](),
			run: func(ctx context.Context, env Env, raw json.RawMessage) (Result, error) {
				var args Args
				if err := schema().Decode(raw, &args); err != nil {
					return Result{}, err
				}
				return run(ctx, env, args)
			},
		},
	}
}

// onceMade returns a function that makes a schema of a tool when it is first called.
func onceMade[S any](tool string, make func(arguments.Choices) (S, error)) func() S {
	return sync.OnceValue(func() S {
		made, err := make(choices)
		if err != nil {
			panic(fmt.Sprintf("tools: %s: %v", tool, err))
		}
		return made
	})
}

// OK returns a successful result. content is the tool's [Content]; summary is one line for people.
func OK(content any, summary string) (Result, error) {
	data, err := wording.Encode(content)
	if err != nil {
		return Result{}, fmt.Errorf("encoding a tool's result: %w", err)
	}
	return Result{Content: data, Summary: wording.OneLine(summary), OK: true}, nil
}

// Set is a fixed list of tools. It is safe for concurrent use.
type Set struct{ tools []*Tool }

// NewSet returns a set of the given tools in the given order.
func NewSet(tools ...*Tool) *Set { return &Set{tools} }

// All returns the tools, always in the same order. The caller must not modify the slice.
func (s *Set) All() []*Tool { return s.tools }

// With returns a set that has more tools behind those of s. One whose name is taken is left out.
func (s *Set) With(more []*Tool) *Set {
	all := NewSet(slices.Clone(s.tools)...)
	for _, t := range more {
		if _, taken := all.Get(t.Name); !taken {
			all.tools = append(all.tools, t)
		}
	}
	return all
}

// Spared returns the names of the tools that requests may leave out, in that order.
func (s *Set) Spared() (names []string) {
	spared := slices.DeleteFunc(slices.Clone(s.tools), func(t *Tool) bool { return t.Spare == 0 })
	slices.SortStableFunc(spared, func(a, b *Tool) int { return b.Spare - a.Spare })
	for _, t := range spared {
		names = append(names, t.Name)
	}
	return names
}

// Get returns the tool called name.
func (s *Set) Get(name string) (*Tool, bool) {
	for _, t := range s.tools {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}
