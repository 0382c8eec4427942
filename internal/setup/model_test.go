package setup

import (
	"path/filepath"
	"strings"
	"testing"
)

var qwen = Model{Provider: "ollama", Type: "ollama", BaseURL: "http://127.0.0.1:11434", ID: "qwen3:8b"}

const qwenTable = "\n[providers.ollama]\ntype = \"ollama\"\nbaseUrl = \"http://127.0.0.1:11434\"\n"

func TestPlanModelKeepsWhatIsThere(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no file":       {"", "model = \"ollama/qwen3:8b\"\n" + qwenTable},
		"comments":      {"# mine\nedits.preview = \"code\" # so\n", "model = \"ollama/qwen3:8b\"\n# mine\nedits.preview = \"code\" # so\n" + qwenTable},
		"a table first": {"[limits]\ndailyCost = 5", "model = \"ollama/qwen3:8b\"\n\n[limits]\ndailyCost = 5\n" + qwenTable},
		"another model": {"# a\n  model='embedded'  # b\n[limits]\nmodel = 1\n", "# a\n  model=\"ollama/qwen3:8b\"  # b\n[limits]\nmodel = 1\n" + qwenTable},
		"the provider":  {"fallback = \"ollama/x\"\n" + qwenTable + "models.x.contextTokens = 9\n", "model = \"ollama/qwen3:8b\"\nfallback = \"ollama/x\"\n" + qwenTable + "models.x.contextTokens = 9\n"},
		"its name": {"[providers.ollama]\ntype = \"openai\"\n",
			"model = \"ollama-2/qwen3:8b\"\n\n[providers.ollama]\ntype = \"openai\"\n" + strings.Replace(qwenTable, "ollama]", "ollama-2]", 1)},
		"CRLF":    {"# a\r\n", strings.ReplaceAll("model = \"ollama/qwen3:8b\"\n# a\n"+qwenTable, "\n", "\r\n")},
		"all":     {"model = \"ollama/qwen3:8b\"\n" + qwenTable, "model = \"ollama/qwen3:8b\"\n" + qwenTable},
		"strings": {"x = \"\"\"\n[a]\nmodel = 'b'\n\"\"\"\n", "model = \"ollama/qwen3:8b\"\nx = \"\"\"\n[a]\nmodel = 'b'\n\"\"\"\n" + qwenTable},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := nameModel([]byte(c.before), qwen)
			if err != nil || string(got) != c.after {
				t.Errorf("got %q, %v\nwant %q", got, err, c.after)
			}
			again, err := nameModel(got, qwen)
			if err != nil || string(again) != c.after {
				t.Errorf("the second time: %q, %v", again, err)
			}
		})
	}
}

func TestPlanModelRefusesWhatItCanNotChange(t *testing.T) {
	for before, want := range map[string]string{
		"providers = {}\n":                  "by hand:\nmodel = \"ollama/qwen3:8b\"\n[providers.ollama]\n",
		"x = \"\"\"\nmodel = 'b'\n\"\"\"\n": "by hand",
		"model = \"\"\"embedded\"\"\"\n":    "by hand",
		"model = [\n":                       "line ",
		"providers = \"none\"\n":            "by hand",
	} {
		location := Location{Path: filepath.Join(t.TempDir(), "config.toml"), Home: t.TempDir(), WorkDir: t.TempDir()}
		put(t, location.Path, before)
		plan, err := location.PlanModel(qwen)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\n%s", before, err, plan.text)
		}
	}
}

// TestPlanModelKeepsTheMark changes settings as editors on Windows save them. UTF-16 stays as it is.
func TestPlanModelKeepsTheMark(t *testing.T) {
	const before = "edits.preview = \"code\"\r\n"
	utf16 := func(text string) string { return strings.ReplaceAll(text, "", "\x00")[1:] }
	for name, c := range map[string]struct{ before, after string }{
		"UTF-8 with a mark":     {"\ufeff" + before, "\ufeffmodel = \"ollama/qwen3:8b\"\r\n" + before + strings.ReplaceAll(qwenTable, "\n", "\r\n")},
		"only the mark":         {"\ufeff", "\ufeffmodel = \"ollama/qwen3:8b\"\n" + qwenTable},
		"UTF-16":                {"\xff\xfe" + utf16(before), ""},
		"UTF-16 without a mark": {utf16(before), ""},
	} {
		t.Run(name, func(t *testing.T) {
			location := Location{Path: filepath.Join(t.TempDir(), "config.toml"), Home: t.TempDir(), WorkDir: t.TempDir()}
			put(t, location.Path, c.before)
			plan, err := location.PlanModel(qwen)
			if c.after == "" {
				if err == nil || !strings.Contains(err.Error(), "is not UTF-8 text; save it as UTF-8 first; put this into it by hand:\nmodel = ") {
					t.Errorf("%v\n%q", err, plan.text)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := plan.Apply(noon); err != nil || get(t, location.Path) != c.after {
				t.Errorf("%v, %q\nwant %q", err, get(t, location.Path), c.after)
			}
			if kept := get(t, location.Path+copyInfix+"20260701-120000"); kept != c.before {
				t.Errorf("the copy is %q", kept)
			}
		})
	}
}
