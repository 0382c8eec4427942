package main

import (
	"cmp"
	"math/rand/v2"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/syntax"
)

// traced is an error in a function of a project.
type traced struct {
	format          *traceFormat
	repo, goModule  string
	frames          []frame // the innermost first
	literal, member string  // a text and a name of the function
	message         string
	compilerMessage string
	shift           int // lines between the workspace and the installed copy
}

// frame is a line of a function.
type frame struct {
	index.Unit
	line int
	code string
}

// ofOthers returns a trace without a frame of the project if the message has a text or a name of the function.
func (t *traced) ofOthers() string {
	if t.literal == "" && !strings.ContainsAny(t.message, "{") {
		return ""
	}
	others := *t
	others.frames = t.frames[:1]
	return others.report(t.format.others)
}

// report returns a trace whose frames in the project have a form.
func (t *traced) report(form string) string {
	lines := []string{t.format.library}
	for _, f := range t.frames {
		lines = append(lines, t.fill(form, f))
	}
	lines = append(lines, t.format.app)
	if t.format.lastFirst {
		slices.Reverse(lines)
	}
	head := t.format.head
	if form != t.format.named {
		head = strings.ReplaceAll(head, " at {panicPlace}", "")
	}
	return t.fill(head, t.frames[0]) + strings.Join(lines, "") + t.fill(t.format.tail, t.frames[0])
}

// ofText returns the message if it has a text of the function.
func (t *traced) ofText() string {
	if t.literal == "" {
		return ""
	}
	return t.fill(t.message, t.frames[0])
}

func (t *traced) compiled() string {
	text := t.format.compiled
	if !strings.Contains(text, "{compilerMessage}") {
		text += "{compilerMessage}\n"
	}
	return t.fill(text, t.frames[0])
}

// fill replaces the names in braces.
func (t *traced) fill(text string, f frame) string {
	owner, _, _ := cutLast(f.Canon, "::")
	rel, name := filepath.ToSlash(f.Rel), strings.TrimPrefix(f.Name, "#")
	dir, file := path.Split(rel)
	below := rel
	for _, source := range []string{"src/", "lib/"} {
		below = strings.TrimPrefix(below, source)
	}
	_, pkg := path.Split(t.repo)
	crateDir, inCrate, ok := cutLast(dir, "src/")
	if inCrate = "src/" + inCrate + file; !ok {
		crateDir, inCrate = "", rel
	}
	crate := cmp.Or(strings.Trim(path.Base(crateDir), "./"), pkg)
	module := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSuffix(below, path.Ext(below)), "/", "."), ".__init__")
	_, javaPackage, _ := cutLast(dir, "java/")
	receiver, goDir := "", strings.TrimSuffix(dir, "/")
	if owner != "" {
		receiver = "(*" + owner + ")."
	}
	built := rel
	if ext := path.Ext(rel); ext == ".ts" || ext == ".tsx" {
		_, inPackage, _ := cutLast(strings.TrimSuffix(rel, ext), "src/")
		built = "dist/" + inPackage + ".js"
	}
	join := func(sep string, parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
	}
	for range 2 { // a message has names itself
		text = strings.NewReplacer("{message}", t.message, "{compilerMessage}", t.compilerMessage, "{literal}", t.literal,
			"{member}", t.member, "{name}", name, "{owner}", cmp.Or(owner, pkg), "{rel}", rel, "{file}", file, "{code}",
			f.code, "{line}", strconv.Itoa(f.line), "{shifted}", strconv.Itoa(f.line+t.shift), "{repo}", pkg, "{package}",
			strings.ToLower(pkg), "{owned}", strings.ToLower(t.repo), "{below}", below, "{built}", built, "{module}",
			module, "{dotted}", strings.ReplaceAll(f.Canon, "::", "."), "{goPackage}", join("/", t.goModule, goDir),
			"{goModule}", t.goModule, "{receiver}", receiver, "{rusty}",
			join("::", strings.ReplaceAll(crate, "-", "_"), rustModule(inCrate), f.Canon), "{crate}", crate, "{inCrate}",
			inCrate, "{panicPlace}", rel+":"+strconv.Itoa(f.line)+":22", "{javaClass}",
			join(".", strings.ReplaceAll(strings.Trim(javaPackage, "/"), "/", "."), strings.ReplaceAll(owner, "::", "$")),
			"{phpClass}", strings.ReplaceAll(owner, "::", `\`), "{csharpClass}", strings.ReplaceAll(owner, "::", "."),
			"{backslashed}", strings.ReplaceAll(rel, "/", `\`)).Replace(text)
	}
	return text
}

// rustModule returns the module of a file of a crate.
func rustModule(rel string) string {
	module := strings.TrimSuffix(strings.TrimPrefix(rel, "src/"), ".rs")
	for _, root := range []string{"lib", "main", "mod"} {
		module = strings.TrimSuffix(strings.TrimSuffix(module, root), "/")
	}
	return strings.ReplaceAll(module, "/", "::")
}

// cutLast cuts a text around the last separator. Without one, all of the text is behind it.
func cutLast(text, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(text, sep); at >= 0 {
		return text[:at], text[at+len(sep):], true
	}
	return "", text, false
}

var (
	goModulePattern = regexp.MustCompile(`(?m)^module (\S+)`)
	memberPattern   = regexp.MustCompile(`(?:\.|->|::)([A-Za-z_]\w{3,})`)
	raisingPattern  = regexp.MustCompile(`(?i)raise|throw|panic|error|fail|reject|expect|abort`)
	literalPattern  = regexp.MustCompile("[\"'`]([A-Za-z][^\"'`\\\\]{10,})[\"'`]")
	filledPattern   = regexp.MustCompile(`%[-+#]?\d*(?:\.\d+)?[a-zA-Z]|[#$]?\{[^{}]*\}`)
)

// traces returns reports of errors in count functions of a project.
func (p *minedProject) traces(count int, r *rand.Rand) (all []asked) {
	functions := slices.DeleteFunc(slices.Clone(p.symbols), func(s index.Unit) bool {
		return s.Kind != syntax.KindFunction && s.Kind != syntax.KindMethod || s.EndLine-s.StartLine < 3 ||
			formatOf(s.Language) == nil || traits.PrecedenceOf(s.Rel, nil) != traits.Source
	})
	r.Shuffle(len(functions), func(i, j int) { functions[i], functions[j] = functions[j], functions[i] })
	goModule := ""
	if m := goModulePattern.FindStringSubmatch(strings.Join(p.lines("go.mod"), "\n")); m != nil {
		goModule = m[1]
	}
	for _, f := range functions[:min(count, len(functions))] {
		t := traced{format: formatOf(f.Language), repo: p.repo, goModule: goModule, frames: []frame{p.frame(f, r)},
			shift: 3 + r.IntN(40)}
		for range 2 {
			if caller := functions[r.IntN(len(functions))]; caller.Language == f.Language {
				t.frames = append(t.frames, p.frame(caller, r))
			}
		}
		body := p.lines(f.Rel)[f.StartLine-1 : f.EndLine]
		t.member, t.literal = f.Name, raisedText(body)
		if members := memberPattern.FindAllStringSubmatch(strings.Join(body, "\n"), -1); len(members) > 0 {
			t.member = members[r.IntN(len(members))][1]
		}
		t.message = t.format.messages[r.IntN(len(t.format.messages))]
		if t.literal != "" {
			t.message = t.format.raised
		}
		t.compilerMessage = t.format.compilerMessages[r.IntN(len(t.format.compilerMessages))]
		for _, kind := range traceKinds {
			if text := kind.of(&t); text != "" {
				all = append(all, newAsked(text, kind.name, f))
			}
		}
	}
	return all
}

// raisedText returns a text that the lines of a function report as an error, with its gaps filled.
func raisedText(lines []string) string {
	for i, line := range lines {
		near := strings.Join(lines[max(0, i-1):i+1], "\n")
		if m := literalPattern.FindStringSubmatch(line); m != nil && raisingPattern.MatchString(near) &&
			strings.Count(m[1], " ") > 1 {
			return filledPattern.ReplaceAllString(m[1], "walnut7")
		}
	}
	return ""
}

// frame returns a line of a function that is no declaration.
func (p *minedProject) frame(f index.Unit, r *rand.Rand) frame {
	line := f.StartLine + 1 + r.IntN(f.EndLine-f.StartLine-1)
	return frame{f, line, strings.TrimSpace(p.lines(f.Rel)[line-1])}
}
