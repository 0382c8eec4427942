package postings_test

import (
	"strings"
	"testing"

	"ploke-lsp/index/postings"
)

func TestTerms(t *testing.T) {
	for word, want := range map[string]string{
		"Shutdown":         "shutdown",
		"parseDuration":    "pars duration parseduration",
		"HTTPServer2":      "http server httpserver2",
		"snake_case_id":    "snak case id snake_case_id",
		"__init__":         "init",
		"decoded":          "decod",
		"decoding":         "decod",
		"decodes":          "decod",
		"stopped":          "stop",
		"numbers":          "number",
		"class":            "class",
		"the":              "",
		"x":                "",
		"1234567":          "",
		"404":              "404",
		"größe":            "größ",
		"Übergrößenträger": "übergrößenträger",
		"用户登录":             "用户 户登 登录",
		"锁":                "锁",
		"使用Redis缓存":        "使用 redis 缓存",
		"カーソルを2回消す":        "カー ーソ ソル ルを 回消 消す",
	} {
		if got := strings.Join(postings.Terms(word), " "); got != want {
			t.Errorf("Terms(%q) = %q, want %q", word, got, want)
		}
	}
}
