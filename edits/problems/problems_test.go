package problems

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestProblemsOfDataAreNamed(t *testing.T) {
	const compose = "services:\n  web:\n    image: nginx\n    ports:\n      - \"80:80\"\n"
	for _, test := range []struct{ path, before, after, want string }{
		{"a.json", `{"a": 1}`, `{"a": 1,}`, "1: this JSON file takes no comments and no trailing commas"},
		{"a.json", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "3: invalid character '\"' after object value (expecting ',' or '}')"},
		{"a.json", "{\n  \"a\": 1\n}\n", "{\n  // one\n  \"a\": 1\n}\n", "2: "},
		{"a.json", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n", "2: unexpected EOF"},
		{"a.json", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n}\n", "4: "},
		{"a.json", "{}", "{} {}", "1: there is text behind the end of the value"},
		{"a.json", "{}", "", "1: a JSON file can't be empty"},
		{"a.json", "{\"a\": 1}", "{\"a\": True}", "1: "},
		{"a.json", "{\"a\": 1}", "{'a': 1}", "1: "},
		{"package.json", "{\n  \"scripts\": {},\n  \"x\": 1\n}", "{\n  \"scripts\": {},\n  \"x\": 1,\n  \"scripts\": {}\n}", "4: the name \"scripts\" is there twice"},
		{"package.json", "{}", "{\n  \"//\": \"a\",\n  \"//\": \"b\",\n \"c\": 1\n}", ""},
		{"package.json", "{}", "{\n  \"//\": \"a\",\n  \"//\": \"b\",\n \"c\": 1,\n}", "4: "},
		{"a.json", "{}", "\ufeff{\"a\": 1}", ""},
		{"a.json", "// one\n{\"a\": 1}", "// one\n{\"a\": 1, // two\n}", ""},
		{"a.json", "// one\n{\"a\": 1}", "// one\n{\"a\": 1", "2: "},
		{"a.json", "", "{\"a\": 1, // two\n}", "1: "},
		{"tsconfig.json", "", "{\n  // one\n  \"a\": 1,\n}", ""},
		{"tsconfig.json", "{\n}\n", "{\n  // one\n  \"a\": 1,\n", "3: "},
		{"tsconfig.build.json", "", "{\"a\": 1,}", ""},
		{".vscode/extensions.json", "", "{\"a\": 1,}", ""},
		{"a.jsonc", "", "{\"a\": 1,}", ""},
		{"a.jsonc", "", "{\"a\" 1,}", "1: "},
		{"a.json5", "", "{a: 1,}", ""},
		{"a.jsonl", "{}\n", "{}\n{\"a\": 1}\n", ""},
		{"a.jsonl", "{}\n", "{}\n{\"a\": 1\n", "2: "},
		{"a.json", "{\n\n\"a\": x}", "{\n\n\"a\": x, \"b\": 1}", ""},
		{"a.json", "{\"b\": 1,\n\n\"a\": x}", "{\"b\" 1,\n\n\"a\": x}", "1: "},
		{"a.yaml", compose, strings.Replace(compose, "    ports", "   ports", 1), "4: did not find expected key"},
		{"a.yaml", compose, strings.Replace(compose, "image: nginx", "image: nginx: 1", 1), "3: mapping values are not allowed in this context"},
		{"a.yaml", compose, strings.Replace(compose, "    image", "\timage", 1), "3: found character that cannot start any token"},
		{"a.yaml", compose, strings.Replace(compose, "\"80:80\"", "\"80:80", 1), "5: "},
		{"a.yaml", compose, compose + "services:\n", "6: the key \"services\" is there twice"},
		{"a.yaml", compose, compose + "---\na: [1, 2\n", "7: "},
		{"a.yaml", compose, compose + "x: *nowhere\n", "6: unknown anchor 'nowhere' referenced"},
		{"a.yaml", compose, compose + "x: &a {b: 1}\ny:\n  <<: *a\n  c: !Ref d\n", ""},
		{"t/a.yaml", "", "a: {{ .Values.a }}\n{{- if .b }}\nc: 1\n{{- end }}\n", ""},
		{"a.yml", "", "run: echo ${{ github.sha }}\nwith: \"{{ x }}\"\n", ""},
		{"a.toml", "a = 1\n", "a = 1\na = 2\n", "2: "},
		{"a.toml", "[a]\n", "[a]\nb = 1\n[a]\n", "3: "},
		{"a.toml", "a = 1\n", "a = \n", "1: "},
		{"a.toml", "a = 1\n", "a = 2024-13-45\n", "1: "},
		{"a.toml", "a = [1]\n", "a = [1\nb = 2\n", "1: "},
		{"go.mod", "module m\n\ngo 1.26\n", "module m\n\ngo 1.26\n\nrequire (\n\ta.b/c v1.0.0\n", "6: "},
		{"go.mod", "module m\n\ngo 1.26\n", "module m\n\ngo 1.26\n\nrequires a.b/c v1.0.0\n", "5: unknown directive: requires"},
		{"go.mod", "module m\n\ngo 1.26\n", "module m\n\ngo 1.26\n\nrequire a.b/c latest\n\ntool a.b/c\n", ""},
		{"go.mod", "module m\n\ngo 1.26\n", "module m\n\ngo one\n", "3: "},
		{"go.work", "go 1.26\n", "go 1.26\n\nuse (\n\t./a\n", "4: "},
	} {
		name := fmt.Sprintf("%s %q", test.path, test.after)
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, p := range New(test.path, []byte(test.before), []byte(test.after)) {
				got += fmt.Sprintf("%d: %s\n", p.Line, p.Message)
			}
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
				t.Errorf("%q: %q, want %q", test.after, got, test.want)
			}
		})
	}
}

// TestDeepDataIsNotChecked has texts for which a library that calls itself for each bracket ends the program.
func TestDeepDataIsNotChecked(t *testing.T) {
	for path, language := range map[string]string{"a.json": "", "tsconfig.json": "", "a.yaml": "yaml", "a.toml": "toml", "go.mod": ""} {
		for _, part := range []string{"[", "{\"a\":", "a: {", "- ", "a = [", "&a [*a,", "? ", "(\n"} {
			newInData(path, language, nil, []byte(strings.Repeat(part, maxDataBytes/len(part))))
		}
	}
}

func TestProblemsOfPythonsIndentationAreNamed(t *testing.T) {
	const before = "class A:\n    def f(self, x):\n        if x:\n            return 1\n        return 2\n"
	for _, test := range []struct{ name, old, new, want string }{
		{"deeper", "        return 2", "          return 2", "5: the indentation matches that of no block around\n"},
		{"deeper without a block", "        return 2", "        y = 2\n            return y", "6: unexpected indentation\n"},
		{"between two levels", "        return 2", "      return 2", "5: the indentation matches that of no block around\n"},
		{"to the left of its block", "            return 1", "return 1", "3: the block has no statement\n5: unexpected indentation\n"},
		{"without its body", "            return 1\n", "", "3: the block has no statement\n"},
		{"with a comment for a body", "return 1", "# nothing", "3: the block has no statement\n"},
		{"tabs", "            return 1", "\t\treturn 1\n            pass", "4: tabs and spaces are mixed in the indentation\n5: unexpected indentation\n"},
		{"one level out", "        return 2", "    return 2", ""},
		{"in brackets", "        return 2", "        return g(\n    1,\n  2)", ""},
		{"in a long string", "        return 2", "        return \"\"\"\n  a:\nb\"\"\"", ""},
		{"behind a backslash", "        return 2", "        return 2 + \\\n  1", ""},
		{"behind a backslash in a string", "        return 2", "        return 'a\\\n  b:'\n        return 3", ""},
		{"a comment anywhere", "        return 2", "# one\n                # two\n        return 2", ""},
		{"a colon in a comment", "        return 2", "        y = 2 # one:\n          return 2", "6: unexpected indentation\n"},
		{"a comment behind the colon", "        return 2", "        if x: # one\n          return 2", ""},
		{"a lambda and a slice", "        return 2", "        y = [lambda:\n 1, x[1:\n2]]\n        return y", ""},
		{"an escaped quote", "        return 2", "        y = 'it\\'s ('\n        return 2", ""},
		{"a quote without an end", "        return 2", "        y = 'a\n          return 2", "6: unexpected indentation\n"},
		{"a template", "        return 2", "{% if a %}\n            return 2\n{% endif %}", ""},
	} {
		for _, ends := range []string{"\n", "\r\n"} {
			t.Run(test.name, func(t *testing.T) {
				with := func(text string) string { return strings.ReplaceAll(text, "\n", ends) }
				after := strings.Replace(with(before), with(test.old), with(test.new), 1)
				got := ""
				for _, p := range New("a.py", []byte(with(before)), []byte(after)) {
					if slices.Contains([]string{unexpectedIndent, noOuterLevel, mixedIndent, "the block has no statement"}, p.Message) {
						got += fmt.Sprintf("%d: %s\n", p.Line, p.Message)
					}
				}
				if got != test.want {
					t.Errorf("%q, want %q in\n%s", got, test.want, after)
				}
				if again := New("a.py", []byte(after), []byte(after+with("\n"))); len(again) > 0 {
					t.Errorf("known problems are new: %v", again)
				}
			})
		}
	}
}
