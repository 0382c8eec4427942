package secretscan

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"go/format"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

var update = flag.Bool("update", false, "write the table of issuers.txt anew")

// issuer is one of issuers.txt.
type issuer struct {
	name, page string
	shapes     []issuedShape
}

func readIssuers(t testing.TB) (all []issuer) {
	t.Helper()
	text, err := os.ReadFile("issuers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch indented, isShape := strings.CutPrefix(line, "\t"); {
		case line == "" || line[0] == '#':
		case isShape:
			shape, check, _ := strings.Cut(indented, " ")
			last := &all[len(all)-1]
			last.shapes = append(last.shapes, issuedShape{text: shape, check: check})
		default:
			name, page, _ := strings.Cut(line, " ")
			all = append(all, issuer{name: name, page: page})
		}
	}
	return all
}

// TestIssuedIsCurrent compares the table of the scanner with issuers.txt.
func TestIssuedIsCurrent(t *testing.T) {
	var want bytes.Buffer
	fmt.Fprint(&want, "// Code generated from issuers.txt by go generate. DO NOT EDIT.\n\npackage secretscan\n\n// issued are the shapes of "+
		"the keys of all issuers.\nvar issued = []issuedShape{\n")
	for _, i := range readIssuers(t) {
		for _, s := range i.shapes {
			marks, before := parseShape(s.text).marks()
			for _, mark := range marks {
				fmt.Fprintf(&want, "{%q, %d, %q, %q},\n", mark, before, s.text, s.check)
			}
		}
	}
	fmt.Fprint(&want, "}\n")
	code, err := format.Source(want.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	const file = "issued.go"
	if *update {
		if err := os.WriteFile(file, code, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, code) {
		t.Errorf("%s is not that of issuers.txt (%v): run go generate", file, err)
	}
}

func TestEachIssuerHasItsPage(t *testing.T) {
	const least = 200
	all := readIssuers(t)
	names, shapes := map[string]bool{}, map[string]bool{}
	for _, i := range all {
		if u, err := url.Parse(i.page); err != nil || u.Scheme != "https" || u.Host == "" || len(i.shapes) == 0 || names[i.name] {
			t.Errorf("%s has the page %q and %d shapes, or is there twice", i.name, i.page, len(i.shapes))
		}
		names[i.name] = true
		for _, s := range i.shapes {
			if shapes[s.text] {
				t.Errorf("the shape %s is there twice", s.text)
			}
			if _, known := checks[s.check]; s.check != "" && !known {
				t.Errorf("%s has the unknown check %q", s.text, s.check)
			}
			shapes[s.text] = true
		}
	}
	if len(all) < least {
		t.Errorf("%d issuers", len(all))
	}
}

// madeUp returns a random key of a shape with what is around its secret. It is made at run time, so that no other program
// that looks for keys finds it in the repository.
func madeUp(r *rand.Rand, s *shape, check string) (before, secret, after string) {
	for i := range s.parts {
		p := &s.parts[i]
		text := p.literal
		if p.kind != nil {
			n := p.min + r.IntN(min(p.max-p.min, 12)+1)
			for range n {
				text += string(p.kind.characters()[r.IntN(len(p.kind.characters()))])
			}
		}
		if i == len(s.parts)-1 {
			text = strings.TrimRight(text, ".")
			for p.kind != nil && len(text) < p.min {
				text += "0"
			}
		}
		switch {
		case i < s.from:
			before += text
		case i < s.to:
			secret += text
		default:
			after += text
		}
	}
	switch check {
	case "crc32":
		secret = secret[:prefixLength+bodyLength]
		secret += checksum(secret[prefixLength:])
	case "pem":
		secret = base64.StdEncoding.EncodeToString([]byte("-----BEGIN PRIVATE " + "KEY-----\n" + secret))
	case "snowflake":
		_, rest, _ := strings.Cut(secret, ".")
		id := map[string]string{"MT": "1", "MD": "0", "Mj": "2", "Mz": "3", "ND": "4", "NT": "5", "Nj": "6", "Nz": "7", "OD": "8", "OT": "9"}[secret[:2]]
		for len(id) < 18 {
			id += string(decimal[r.IntN(10)])
		}
		secret = base64.RawStdEncoding.EncodeToString([]byte(id)) + "." + rest
	}
	return before, secret, after
}

// characters returns the bytes of a kind.
func (k *kind) characters() (all []byte) {
	for c := range 1 << 8 {
		if k[c] {
			all = append(all, byte(c))
		}
	}
	return all
}

// surroundings are texts in which keys stand at the %s.
var surroundings = []string{
	"%s", "the key is %s.", "the key is %s, not another", "`%s`", "(%s)", "key: %s\n", "KEY=%s\r\n", "export KEY=%s\nexport OTHER=1\n", "\tf(\"%s\")\n", "['%s', 1]",
	`{"key":"%s","n":1}`, `{"text":"first\n%s\nlast"}`, "https://example.org/?a=b&key=%s&c=d", "https://example.org/%s", "<!-- %s -->", "<!--%s-->", "<a>%s</a>", "- %s\n- x\n", "a;%s;b", "| %s |",
	"https://example.org/?to=a%3Fkey%3D%s", "a%253D%s", `{\"key\":\u0022%s\u0022}`, `"\x22%s\x22"`, "key =3D%s",
}

// TestKeysOfEachIssuerAreFound looks for made-up keys of each shape in texts that say nothing of a secret.
func TestKeysOfEachIssuerAreFound(t *testing.T) {
	const mostMissed = 2 // per mille: the checks of randomness reject some random keys
	rounds := testbed.Count(20, 5)
	random := rand.New(rand.NewPCG(38, 13))
	missed, all := 0, 0
	for _, i := range readIssuers(t) {
		for _, issued := range i.shapes {
			s, missedOfShape := parseShape(issued.text), 0
			for round := range rounds {
				before, secret, after := madeUp(random, s, issued.check)
				around := surroundings[(all+round)%len(surroundings)]
				start, end, _ := strings.Cut(around, "%s")
				text := start + before + secret + after + end
				at := len(start + before)
				all++
				if !covered(Span{at, at + len(secret)}, Find(text)) {
					missed, missedOfShape = missed+1, missedOfShape+1
					t.Logf("%s, %s: not found in %q", i.name, issued.text, text)
				}
			}
			if missedOfShape > max(1, rounds/4) {
				t.Errorf("%s: %d of %d keys of the shape %s are missed", i.name, missedOfShape, rounds, issued.text)
			}
		}
	}
	if missed*1000 > all*mostMissed {
		t.Errorf("%d of %d keys are missed", missed, all)
	}
}

// TestKeysOfAnotherLengthAreNone takes a character from the shortest keys, and adds one to the longest.
func TestKeysOfAnotherLengthAreNone(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 14))
	for _, i := range readIssuers(t) {
		for _, issued := range i.shapes {
			shortest, longest := parseShape(issued.text), parseShape(issued.text)
			last := len(shortest.parts) - 1
			shortest.parts[last].max = shortest.parts[last].min
			longest.parts[last].min = longest.parts[last].max
			keyOf := func(s *shape) string {
				before, secret, after := madeUp(random, s, "")
				return before + secret + after
			}
			key := keyOf(shortest)
			others := []string{key[:len(key)-1]}
			if shortest.parts[last].kind == nil || longest.parts[last].max < longestKey {
				others = append(others, keyOf(longest)+"a")
				if kind := longest.parts[last].kind; kind != nil && kind['-'] {
					others = append(others, keyOf(longest)+"-a")
				}
			}
			for _, other := range others {
				if s, ok := parseShape(issued.text).match(other, 0); ok {
					t.Errorf("%s: %q of %q is a key of the shape %s", i.name, other[s.Start:s.End], other, issued.text)
				}
			}
		}
	}
}

// TestNamesAreNoKeys has names that have the shape of a key, but the letters of words.
func TestNamesAreNoKeys(t *testing.T) {
	for _, text := range []string{
		"sk-loading-indicator-of-the-first-page", "sk_buff_is_released_by_the_driver", "key_of_the_first_user_in_the_list", "test_TheServerAnswersTheFirstRequest2",
		"md-button-of-the-first-page", "API-DESCRIPTIONOFTHISSERVER", "creem_subscriptionofthecustomer", "as-anotherservicemanager", "ser.ReadTheFirstLineOfFile",
		"prf_the_performance_counters_of_this", "0012345678901234567890123456789012345678ab", "00997BD266EF7B1F60A5C23F3A741F2AEFD07A2081", "fk-00000000000000000000", "OTHERSTRINGSOFMANYLETTER.method.anotherMethodWithALongNameX",
		"re_compiledexpressionofthisparser", "live_thesubscriptionofthefirstuser", "pa-thefirstparagraphofthispageandofthenexttwo",
	} {
		if found := Find("see " + text + " here"); len(found) > 0 {
			t.Errorf("%s is taken for a key", text)
		}
	}
}

// TestTheEndOfASentenceIsNoPartOfAKey has keys that may have dots within.
func TestTheEndOfASentenceIsNoPartOfAKey(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 17))
	for _, shape := range []string{"glpat-[unres27].[unres2].[alnum9]", "ghs_[alnum6]_eyJ[url30].[url90].[url40]", "eyJ[url20].eyJ[url60].[url42]a", "eyJ[url20].eyJ[url900].[url342].[url16].[url22]a"} {
		_, key, _ := madeUp(random, parseShape(shape), "")
		for _, end := range []string{".", "...", ". And", ".\n", ".\""} {
			if found := Find("a " + key + end); !slices.Equal(found, []Span{{2, 2 + len(key)}}) {
				t.Errorf("%.60q… with %q at its end has %v; want one of %d bytes", key, end, found, len(key))
			}
		}
	}
}

// TestKeysWithAChecksumAreFoundWithinWords has keys in words, whose checksum tells them from chance.
func TestKeysWithAChecksumAreFoundWithinWords(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 15))
	for _, i := range readIssuers(t) {
		for _, issued := range i.shapes {
			if issued.check != "crc32" {
				continue
			}
			_, key, _ := madeUp(random, parseShape(issued.text), issued.check)
			wrong := key[:len(key)-1] + string(base62[(strings.IndexByte(base62, key[len(key)-1])+1)%62])
			for _, around := range []string{"old_%s_", "x%sx", "YWJj%sZGVm"} {
				text := fmt.Sprintf(around, key)
				at := strings.Index(text, key)
				if !covered(Span{at, at + len(key)}, Find(text)) {
					t.Errorf("%s: not found in %q", i.name, text)
				}
				if text := fmt.Sprintf(around, wrong); len(Find(text)) > 0 {
					t.Errorf("%s: found in %q, where its checksum is wrong", i.name, text)
				}
			}
		}
	}
}
