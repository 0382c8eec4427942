package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/secretscan"
)

// Keys are concatenated so that secret scanners don't find them in this file.
var (
	letters  = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
	digits   = "0123456789abcdef"
	pemLines = []string{
		"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCqtBAzLE22Z0IH",
		"hPJVfKseNBDOBE4OolLNAoBKMfKQfkJkMVkhP3k1Xw7Y2sSmvQxRpyKmZ8uT0e1b",
		"908ByBHqYFtbYfYJJpq3qsx==",
	}
)

// TestFind has in each text what is to be hidden between « and ».
func TestFind(t *testing.T) {
	begin, end := "-----BEGIN RSA PRIVATE "+"KEY-----", "-----END RSA PRIVATE "+"KEY-----"
	tests := map[string]string{
		"AWS":                       "id = AKIA" + "«»" + "IOSFODNN7EXAMPLX",
		"GitHub":                    "curl -H 'Authorization: token «ghp_" + letters + "abcd»'",
		"OpenAI":                    `key: "«sk-` + "proj-" + letters + letters + `»"`,
		"Slack":                     "«xoxb" + "-123456789012-abcdefABCDEF»",
		"Google":                    "«AIza" + "Sy" + letters + "a»",
		"web token":                 "«eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0»",
		"URL":                       "postgres://app:«s3cr3t-Pa55»@db.example.org/app",
		"Go":                        `var dbPassword = "«hunter2Zebra»"`,
		"typed":                     `const apiKey: string = '«q8Zr0xT4mB»';`,
		"JSON":                      `{"client_secret": "«q8Zr0xT4mB»"}`,
		"dictionary":                `config["password"] = "«q8Zr0xT4mB»"`,
		"a word with digits":        `password: "«hunter2025»"`,
		"YAML":                      "db:\n  password: «q8Zr0xT4mB»\n  host: db",
		"prose":                     "The password: «q8Zr0xT4mB»",
		"shell":                     "export API_TOKEN=«q8Zr0xT4mB»\r\n",
		"connection string":         `"Server=db;User=sa;Password=«q8Zr0xT4mB»;Encrypt=1"`,
		"query":                     "https://example.org/?access_token=«q8Zr0xT4mB»&page=1",
		"header":                    "Authorization: Bearer «q8Zr0xT4mBq8Zr0xT4mB»",
		"cut off":                   `token = "«q8Zr0xT4mB»…`,
		"after an escape":           `"\n«sk_live_` + letters + `»\n"`,
		"PEM":                       begin + "\n«" + strings.Join(pemLines, "»\n«") + "»\n" + end,
		"PEM in a string":           `"` + begin + `\n«` + strings.Join(pemLines, `»\n«`) + `»\n` + end + `\n"`,
		"PEM with headers":          begin + "\nProc-Type: 4,ENCRYPTED\n\n«" + pemLines[0] + "»\n" + end,
		"the middle of PEM":         "  «" + strings.Join(pemLines, "»\n  «") + "»\nx",
		"a certificate":             strings.ReplaceAll(begin, "RSA PRIVATE KEY", "CERTIFICATE") + "\n" + strings.Join(pemLines, "\n") + "\n",
		"hashes":                    strings.Repeat(strings.Repeat(digits, 4)+"\n", 3),
		"an example in a URL":       "http://user:password@host and http://user:%s@host",
		"templates":                 `password = "${DB_PASSWORD1}"; token: "{{ .Token2 }}"; secret = "<your-secret-1>"`,
		"names":                     `token = "oauth2_access_token"; secretName := "db-credentials-v2"; password = "changeme"`,
		"code":                      "token := p.next2\n  password = config2.Password\n  secret = makeSecret(1)\n",
		"paths":                     `secret_file = "/run/secrets/db1"; token_url = "https://example.org/oauth2/v1"`,
		"numbers":                   "SIOCGLIFTOKEN                 = -0x3f879678\nTOKEN = 0x12345678",
		"a class of a style sheet":  ".sk-fading-circle-container-12 { }",
		"a word that ends in a key": "risk-" + letters + letters,
		"a placeholder":             `password = "PLOKE_SECRET_0123456789ab"`,
		"regular":                   `password = "aaaaaaa1"`,
	}
	tests["AWS"] = "id = «AKIA" + "IOSFODNN7EXAMPLX»"
	for name, marked := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("«", "", "»", "").Replace(marked)
			v := New("key")
			hidden, places := v.Hide(text)
			var got []string
			for _, p := range Placeholders(hidden) {
				if secret, ok := v.Secret(p); ok {
					hidden = strings.Replace(hidden, p, "«"+secret+"»", 1)
					got = append(got, secret)
				}
			}
			if diff := cmp.Diff(marked, hidden); diff != "" || len(got) != places {
				t.Errorf("%d places (-want +got):\n%s", places, diff)
			}
		})
	}
}

func TestHideIsAFunctionOfTextAndKey(t *testing.T) {
	const text = `password = "hunter2Zebra"`
	a, _ := New("a").Hide(text)
	again, _ := New("a").Hide(text)
	b, _ := New("b").Hide(text)
	if a != again || a == b || a == text {
		t.Errorf("one key: %s and %s; another: %s", a, again, b)
	}
	twice, places := New("a").Hide(a)
	if twice != a || places != 0 {
		t.Errorf("what is hidden is hidden again: %s", twice)
	}
}

func TestHideWhatIsKnown(t *testing.T) {
	v := New("key")
	hidden, places := v.Hide("dial(hunter2, hunter22, xhunter2, hunter2)", "hunter2")
	want := "dial(P, hunter22, xhunter2, P)"
	if got := strings.ReplaceAll(hidden, Placeholders(hidden)[0], "P"); got != want || places != 2 {
		t.Errorf("%s, %d places", got, places)
	}
}

func TestHideJSON(t *testing.T) {
	raw := `{"a": 1.50, "snippet":"<code=\"/x\" #1:2>\npassword = \"hunter2Zebra\"\n</code>", "b":"<é>", "c":"token=\"q8Zr0xT4mB\""}`
	v := New("key")
	hidden, places := v.HideJSON(raw)
	var got, want map[string]any
	if err := json.Unmarshal([]byte(hidden), &got); err != nil || places != 2 || strings.Contains(hidden, "hunter2Zebra") {
		t.Fatalf("%v, %d places: %s", err, places, hidden)
	}
	if !strings.HasPrefix(hidden, `{"a": 1.50, "snippet":"<code=\"/x\" #1:2>\npassword = \"`) || !strings.Contains(hidden, `"b":"<é>"`) {
		t.Errorf("more than the secrets has changed: %s", hidden)
	}
	restored, _, err := v.Restore(json.RawMessage(hidden), asIs)
	if err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(restored, &got) != nil || json.Unmarshal([]byte(raw), &want) != nil || !cmp.Equal(want, got) {
		t.Errorf("put back: %s", restored)
	}
	for _, clean := range []string{`{"a":"b"}`, "", "no JSON", `"unclosed`, `{"token":"a","x":"\ud800"}`} {
		if same, places := v.HideJSON(clean); same != clean || places != 0 {
			t.Errorf("%s has become %s", clean, same)
		}
	}
}

func TestRestoreRefusesWhatIsDamaged(t *testing.T) {
	v := New("key")
	hidden, _ := v.Hide(`password = "hunter2Zebra"`)
	good := Placeholders(hidden)[0]
	for _, damaged := range []string{
		good[:len(good)-1], good + "0", strings.ToLower(good), strings.ReplaceAll(good, "_", "-"),
		good[:len(placeholderPrefix)] + "…", good[:len(placeholderPrefix)] + "...", good[:len(placeholderPrefix)] + "***",
		good[:len(placeholderPrefix)] + "xxxx",
	} {
		_, _, err := v.Restore(json.RawMessage(`{"code":"`+damaged+` and `+good+`"}`), asIs)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !cmp.Equal(unknown.Known, []string{good}) {
			t.Errorf("%s: %v", damaged, err)
		}
	}
	for _, plain := range []string{`{"code":"ploke_secretary, ploke-lsp, _ploke"}`, `{}`, good} {
		want := strings.ReplaceAll(plain, good, "hunter2Zebra")
		if got, _, err := v.Restore(json.RawMessage(plain), asIs); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", plain, got, err)
		}
	}
}

// FuzzHide checks the promises for any text, in JSON and out of it.
func FuzzHide(f *testing.F) {
	f.Add(`password = "hunter2Zebra"`, "hunter2")
	f.Add("-----BEGIN PRIVATE "+"KEY-----\n"+strings.Join(pemLines, "\n"), "")
	f.Add(`sk-`+letters+letters+`_`, letters)
	f.Add("token = \"q8Zr0xT4mB\xff\xe9\"", "q8")
	f.Add("\x00\x00\x00\ufffd", "\x00\x00\x00\xef") // a secret that ends within a character
	f.Add("\u00e9abcd", "\xa9abcd")
	f.Add("000", "000\"")                 // and one whose quote may be the string's
	f.Add("hunter2ſ hunter2K", "hunter2") // letters that fold to s and k
	f.Fuzz(func(t *testing.T, text, known string) {
		if len(Placeholders(text)) > 0 {
			return // it would not be told from ours
		}
		var also []string
		if len(known) >= 4 && !strings.Contains(known, "\n") {
			also = append(also, known)
		}
		v := New("key")
		hidden, places := v.Hide(text, also...)
		if got := restoreText(t, v, hidden); got != text {
			t.Errorf("%q is hidden as %q and comes back as %q", text, hidden, got)
		}
		if n := len(Placeholders(hidden)); n != places {
			t.Errorf("%d placeholders for %d places", n, places)
		}
		if strings.Count(hidden, "\n") != strings.Count(text, "\n") {
			t.Errorf("the lines have changed: %q, %q", text, hidden)
		}
		raw, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		hiddenJSON, _ := v.HideJSON(string(raw), also...)
		restored, _, err := v.Restore(json.RawMessage(hiddenJSON), asIs)
		if err != nil {
			t.Fatal(err)
		}
		var before, after map[string]string
		if json.Unmarshal(raw, &before) != nil || json.Unmarshal(restored, &after) != nil || !cmp.Equal(before, after) {
			t.Errorf("%s is hidden as %s and comes back as %s", raw, hiddenJSON, restored)
		}
	})
}

// secretTexts are texts with secrets, between which the fuzzer writes what it likes.
func secretTexts() []string {
	begin, end := "-----BEGIN RSA PRIVATE "+"KEY-----\n", "\n-----END RSA PRIVATE "+"KEY-----\n"
	key := begin + strings.Join(pemLines, "\n") + end
	return []string{
		"password = \"hunter2Zebra\"", "dial(hunter2Zebra)", key, strings.ReplaceAll(key, "\n", `\n`), strings.ReplaceAll(key, "\n", `\r\n`), strings.ReplaceAll(key, "\n", "\n    "),
		"https://u:s3cr3t-Pa55@h/", "client-key-data: " + letters + letters, "psk=\"abc1234xyZ\"", "ghp_" + letters + "abcd", "AccountKey=" + letters + letters + "==",
		"Private-Lines: 2\n" + strings.Join(pemLines[:2], "\n") + "\nPrivate-MAC: " + digits + digits + "\n",
		`{"kty":"EC","d":"` + letters + `"}`,
		"-psecret12Zz", "mysql -u x -ps3cr3tPassw0rd db", "s3cr3tPassw0rd", letters, "\\", "\"", "n",
	}
}

// FuzzFragment cuts a fragment out of a text, as tools do, and checks that nothing in it is
// shown that belongs to a secret of the whole.
func FuzzFragment(f *testing.F) {
	texts := secretTexts()
	for i := range texts {
		f.Add("x ", byte(i), " y\n", byte(i+1), "", uint16(i*7), uint16(40))
	}
	f.Fuzz(func(t *testing.T, before string, first byte, between string, second byte, after string, from, length uint16) {
		whole := before + texts[int(first)%len(texts)] + between + texts[int(second)%len(texts)] + after
		from = uint16(min(int(from), len(whole)))
		checkFragment(t, whole, int(from), min(int(from)+int(length), len(whole)))
	})
}

func checkFragment(t *testing.T, whole string, from, to int) {
	secrets := secretscan.Secrets(whole)
	from, to = secretscan.Narrow(whole, from, to, secrets)
	fragment := whole[from:to]
	hidden := secretscan.Find(fragment, secretscan.In(fragment, secrets)...)
	for _, s := range secretscan.Find(whole) {
		start, end := max(s.Start, from)-from, min(s.End, to)-from
		covered := start >= end || slices.ContainsFunc(hidden, func(h secretscan.Span) bool { return h.Start <= start && end <= h.End })
		if !covered {
			t.Errorf("%q of %q shows %q", fragment, whole, fragment[start:end])
		}
	}
	if len(Placeholders(fragment)) > 0 {
		return
	}
	v := New("key")
	text, _ := v.Hide(fragment, secretscan.In(fragment, secrets)...)
	if got := restoreText(t, v, text); got != fragment {
		t.Errorf("%q is hidden as %q and comes back as %q", fragment, text, got)
	}
}

// restoreText puts the secrets of a text that is no JSON back.
func restoreText(t *testing.T, v *Vault, hidden string) string {
	t.Helper()
	for _, p := range Placeholders(hidden) {
		secret, ok := v.Secret(p)
		if !ok {
			t.Fatalf("%s is unknown", p)
		}
		hidden = strings.Replace(hidden, p, secret, 1)
	}
	return hidden
}

func BenchmarkHide(b *testing.B) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "func f%d(token Token) error { return parse(token, \"password\") }\n", i)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		New("key").Hide(text.String())
	}
}

func asIs(secret string) string { return secret }
