package workspace

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestReadDecodes reads files in many encodings. What Read returns must give the bytes back.
func TestReadDecodes(t *testing.T) {
	const wide = "a\x00\r\x00\n\x00\xe9\x00=\xd8\x00\xde" // a, CRLF, é, 😀
	for name, tt := range map[string]struct {
		file, disk, text string
		encoding         Encoding
	}{
		"ISO-8859-1":                        {"f.c", "caf\xe9 \xabna\xefve\xbb\r\n", "café «naïve»\r\n", Encoding{Charset: "ISO-8859-1"}},
		"windows-1252":                      {"f.c", "\x93caf\xe9\x94 \x80 5\n", "“café” € 5\n", Encoding{Charset: "windows-1252"}},
		"UTF-16LE":                          {"f.cs", "\xff\xfe" + wide, "a\r\né😀", Encoding{BOM: true, Charset: "UTF-16LE"}},
		"UTF-16BE":                          {"f.cs", "\xfe\xff\x00a\x00\n\x20\xac", "a\n€", Encoding{BOM: true, Charset: "UTF-16BE"}},
		"UTF-16LE without a mark":           {"f.cs", "a\x00b\x00c\x00\n\x00\xac\x20", "abc\n€", Encoding{Charset: "UTF-16LE"}},
		"UTF-16BE without a mark":           {"f.cs", "\x00a\x00b\x00c\x00\n\x20\xac", "abc\n€", Encoding{Charset: "UTF-16BE"}},
		"only a mark of UTF-16":             {"f.cs", "\xff\xfe", "", Encoding{BOM: true, Charset: "UTF-16LE"}},
		"Python":                            {"f.py", "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n'\xe9\xe9\xe9\xe9\x80'\n", "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n'éééé\u0080'\n", Encoding{Charset: "ISO-8859-1"}},
		"Python, still ASCII":               {"f.py", "# coding=iso8859-15\n", "# coding=iso8859-15\n", Encoding{Charset: "ISO-8859-15"}},
		"Python, ASCII":                     {"f.py", "# coding: ascii\n", "# coding: ascii\n", Encoding{Charset: "US-ASCII"}},
		"Python, UTF-8":                     {"f.py", "# coding: utf_8\né\n", "# coding: utf_8\né\n", Encoding{}},
		"Ruby":                              {"f.rb", "# encoding: Shift_JIS\nx = '\x93\xfa\x96{'\n", "# encoding: Shift_JIS\nx = '日本'\n", Encoding{Charset: "Shift_JIS"}},
		"Vim":                               {"f.c", "/* vim: set fileencoding=cp1251 : */\n// \xcf\xf0\xe8\xe2\xe5\xf2\n", "/* vim: set fileencoding=cp1251 : */\n// Привет\n", Encoding{Charset: "windows-1251"}},
		"Emacs":                             {"f.el", ";; -*- coding: euc-jp-unix -*-\n\xc6\xfc\n", ";; -*- coding: euc-jp-unix -*-\n日\n", Encoding{Charset: "EUC-JP"}},
		"XML":                               {"f.xml", "<?xml version='1.0' encoding='ISO-8859-2'?>\n<a>\xb1\xb1\xb1\xb1</a>", "<?xml version='1.0' encoding='ISO-8859-2'?>\n<a>ąąąą</a>", Encoding{Charset: "ISO-8859-2"}},
		"HTML":                              {"f.html", "<html><META http-equiv=x content=\"text/html; charset=iso-8859-1\">\x93\xe4\xe4\xe4\xe4\x94", "<html><META http-equiv=x content=\"text/html; charset=iso-8859-1\">“ääää”", Encoding{Charset: "windows-1252"}},
		"CSS":                               {"f.css", "@charset \"gb2312\";\n/* \xd6\xd0\xce\xc4 */", "@charset \"gb2312\";\n/* 中文 */", Encoding{Charset: "GBK"}},
		"a declaration that can't be true":  {"f.xml", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\né", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\né", Encoding{}},
		"a declaration that nobody knows":   {"f.py", "# coding: hocus\né\n", "# coding: hocus\né\n", Encoding{}},
		"a declaration in the third line":   {"f.py", "\n\n# coding: latin-1\né\n", "\n\n# coding: latin-1\né\n", Encoding{}},
		"a declaration within another text": {"f.go", "x := `<meta charset=iso-8859-1>` // é\n", "x := `<meta charset=iso-8859-1>` // é\n", Encoding{}},
		"a replacement character":           {"f.go", "'\ufffd' é\n", "'\ufffd' é\n", Encoding{}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{tt.file: tt.disk})
			w := open(t, Options{}, dir)
			f, err := w.Read(t.Context(), dir+"/"+tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if string(f.Text) != tt.text || f.Encoding != tt.encoding || f.Unclear != "" || f.Hash != Hash([]byte(tt.text)) {
				t.Errorf("Read = %q, %+v, unclear: %q", f.Text, f.Encoding, f.Unclear)
			}
			if data, err := f.Encoding.EncodeFor(f.Path, f.Text); string(data) != tt.disk || err != nil {
				t.Errorf("it is stored as %q, %v", data, err)
			}
			for range 2 { // the second time by its encoding, which is known
				if got := parts(t, w, f.Path, len(tt.text)); got != tt.text {
					t.Errorf("parts of the text are %q", got)
				}
			}
			write(t, f.Path, "\xff\xfea\x00\xe9\x00")
			if got := parts(t, w, f.Path, 3); got != "aé" {
				t.Errorf("after a change, parts of the text are %q", got)
			}
		})
	}
}

// TestAnUnclearEncodingIsNotGuessed reads files whose encoding is not certain.
func TestAnUnclearEncodingIsNotGuessed(t *testing.T) {
	for name, tt := range map[string]struct{ file, disk, part string }{
		"mixed":                       {"f.c", "caf\xe9 caf\xc3\xa9\n", "a part of it is UTF-8"},
		"Cyrillic":                    {"f.c", "// \xcf\xf0\xe8\xe2\xe5\xf2\n", "declares no encoding"},
		"a mark of UTF-8":             {"f.c", "\xef\xbb\xbfa\ncaf\xe9\n", "line 2 is not UTF-8"},
		"declared UTF-8":              {"f.py", "# coding: utf-8\n\n'\xe9'\n", "line 3 is not UTF-8"},
		"declared, and really UTF-8":  {"f.py", "# coding: latin-1\n'é'\n", "its bytes are UTF-8"},
		"declared, and not supported": {"f.py", "# coding: hocus\n'\xe9'\n", "hocus, which is not supported"},
		"half of a character":         {"f.cs", "\xff\xfea\x00b", "UTF-16LE"},
		"half of a pair":              {"f.cs", "\xff\xfea\x00\x3d\xd8", "UTF-16LE"},
		"no such byte":                {"f.xml", "<?xml version='1.0' encoding='windows-1252'?>\x81", "windows-1252"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{tt.file: tt.disk})
			f, err := open(t, Options{}, dir).Read(t.Context(), dir+"/"+tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(f.Unclear, tt.part) {
				t.Errorf("unclear: %q; want %q", f.Unclear, tt.part)
			}
			if data, err := f.Encode(f.Text); string(data) != tt.disk || err != nil {
				t.Errorf("it is stored as %q, %v", data, err)
			}
			if _, err := f.EncodeFor(f.Path, f.Text); err == nil {
				t.Error("it counts as clear when it is written")
			}
		})
	}
}

func TestEncodeNamesTheCharacterThatIsMissing(t *testing.T) {
	_, err := Encoding{Charset: "ISO-8859-1"}.Encode([]byte("é 5 €"))
	var missing *CharacterError
	if !errors.As(err, &missing) || missing.Character != '€' || missing.Charset != "ISO-8859-1" {
		t.Errorf("Encode: %v", err)
	}
}

// TestPropertyRandomBytesComeBack decodes random bytes. They must come back, and nothing may
// stand for what is not there.
func TestPropertyRandomBytesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	alphabets := []string{"ab \n\x00", "ab\xe9\xfc \n", "a\xc3\xa9\xff\xfe\n", "\xcf\xf0\xe8\xe2 ", "a\x80\x81\x93\x94"}
	heads := []string{"", "", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "# coding: latin-1\n", "# coding: shift_jis\n", "# coding: gb18030\n",
		"# coding: iso-2022-jp\n", "# coding: euc-kr\n", "# coding: big5\n", "# coding: koi8-r\n", "# coding: utf-8\n"}
	clear := 0
	for i := range 20_000 {
		data := []byte(heads[r.IntN(len(heads))])
		alphabet := alphabets[r.IntN(len(alphabets))]
		for range r.IntN(20) {
			if i%4 == 0 {
				data = append(data, byte(r.Uint32()))
			} else {
				data = append(data, alphabet[r.IntN(len(alphabet))])
			}
		}
		text, e, unclear := decode("f.py", bytes.Clone(data))
		back, err := e.Encode(text)
		if err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%q is read as %q in %+v, and stored as %q, %v", data, text, e, back, err)
		}
		if unclear == "" {
			clear++
		}
		if e.Charset == "" && !bytes.HasSuffix(data, text) {
			t.Fatalf("%q is read as %q", data, text)
		}
		if e.Charset != "" && !strings.HasPrefix(e.Charset, "UTF-16") && bytes.Contains(text, []byte("\ufffd")) {
			t.Fatalf("%q is read as %q in %+v", data, text, e)
		}
	}
	t.Logf("%d of 20000 were clear", clear)
}
