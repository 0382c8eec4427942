package postings_test

import (
	"strings"
	"testing"

	"ploke-lsp/index/postings"
)

func TestTerms(t *testing.T) {
	for word, want := range map[string]string{
		"Shutdown":                             "shutdown",
		"parseDuration":                        "pars duration parseduration",
		"HTTPServer2":                          "http server httpserver2",
		"snake_case_id":                        "snak case id snake_case_id",
		"__init__":                             "init",
		"decoded":                              "decod",
		"decoding":                             "decod",
		"decodes":                              "decod",
		"stopped":                              "stop",
		"numbers":                              "number",
		"class":                                "class",
		"the":                                  "",
		"x":                                    "",
		"1234567":                              "",
		"404":                                  "404",
		"größe":                                "gross",
		"Übergrößenträger":                     "ubergrossentrager",
		"U\u0308berSetzen":                     "uber setzen ubersetzen",
		"ΟΔΥΣΣΕΎΣ":                             "οδυσσευσ",
		"Ёлка":                                 "елка",
		"ılık":                                 "ilik",
		"हिन्दी":                               "हिन्दी",
		"می\u200cخواهم":                        "میخواهم",
		"คำ":                                   "คํา",
		"用户登录":                                 "用户 户登 登录",
		"锁":                                    "锁",
		"使用Redis缓存":                            "使用 redis 缓存",
		"カーソルを2回消す":                            "カー ーソ ソル ルを 回消 消す",
		"ｶﾞｲﾄﾞ":                                "ガイ イド",
		"カ\u3099イド":                            "ガイ イド",
		"ＨＴＴＰServer":                           "http server httpserver",
		"\u1112\u1161\u11ab\u1100\u116e\u11a8": "한국",
		"ภาษาไทย":                              "ภา าษ ษา าไ ไท ทย",
		"น้ำนม":                                "น้ํา าน นม",
	} {
		if got := strings.Join(postings.Terms(word), " "); got != want {
			t.Errorf("Terms(%q) = %q, want %q", word, got, want)
		}
	}
}
