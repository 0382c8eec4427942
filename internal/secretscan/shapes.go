package secretscan

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// place is a place for secrets: a mark in the text, and what is around it.
type place struct {
	mark  string // in lower case; upper case counts as lower case
	shape *regexp.Regexp
	holds func(secret string) bool // further check; may be nil
}

// around is how many bytes before the mark a shape may begin. The shape has to match across
// the mark; its last group is the secret.
const around = 80

const (
	literal = `["'` + "`" + `]([^\s"'` + "`" + `]{6,})["'` + "`" + `]` // of a programming language
	bare    = `["']?([^\s"'` + "`" + `<>|&;(){}$\\]{6,})`              // an argument of a command
	user    = `[\w.@+%-]{1,64}`
)

func at(mark, shape string, holds func(string) bool) place {
	return place{mark, regexp.MustCompile(`(?i)` + shape), holds}
}

var places = []place{
	at("://", `://[^\s/:@"'<>]*:([^\s/@"'<>{}()\[\]&;$%]{6,})@`, inURL),
	at(":thin:", `:thin:[^\s/@"']+/([^\s/@"']{6,})@`, password), // Oracle
	at("basic", `authorization\W{1,6}Basic ([a-z0-9+/]{12,}={0,2})`, credentials),
	at("basic ", `["']Basic ([a-z0-9+/]{12,}={0,2})["']`, credentials),
	at("bearer", `\bbearer[ \t]+([\w.~+/=-]{20,})`, mixedWord),
	at(".atlasv1.", `\b(\w{14}\.atlasv1\.[\w-]{60,})`, nil),                          // Terraform Cloud
	at("8q~", `([\w~.-]{3}8Q~[\w~.-]{31,34})`, random),                               // Azure
	at(":aa", `\b(\d{8,10}:AA[\w-]{33})\b`, random),                                  // Telegram
	at(".login(", `\.login\(\s*["']([\w-]{23,26}\.[\w-]{6}\.[\w-]{27,38})["']`, nil), // Discord
	at(".run(", `\.run\(\s*["']([\w-]{23,26}\.[\w-]{6}\.[\w-]{27,38})["']`, nil),
	at("ls0tls1crudjti", `\b(LS0tLS1CRUdJTi[a-z0-9+/]{40,}={0,2})`, privatePEM),
	// Arguments of commands.
	at("curl", `\bcurl\b[^\n|;]{0,200}?\s(?:-u|--user|--proxy-user)[ =]?["']?`+user+`:`+bare, password),
	at("wget", `\bwget\b[^\n|;]{0,200}?\s--(?:http-|ftp-|proxy-)?password[ =]`+bare, password),
	at("mysql", `\bmysql\w*\b[^\n|;]{0,200}?\s-p`+bare, password),
	at("sshpass", `\bsshpass\s+-p\s*`+bare, password),
	at("redis-cli", `\bredis-cli\b[^\n|;]{0,200}?\s-a\s*`+bare, password),
	at("docker login", `\bdocker login\b[^\n|;]{0,200}?\s-p\s*`+bare, password),
	at("htpasswd", `\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+`+bare, password),
	at("-pass", `\s-pass(?:in|out)?\s+pass:`+bare, password),
	// Calls with a user's name and a password.
	at("basicauth(", `BasicAuth\(\s*`+`[^\n()]{1,80}?,\s*`+literal, password),
	at("auth=(", `\bauth=\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at("credential(", `Credentials?\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at("getconnection(", `getConnection\(\s*[^\n()]{1,200}?,[^\n()]{1,80}?,\s*`+literal, password),
	at("securestring", `ConvertTo-SecureString\s+(?:-String\s+)?`+literal, password),
	at("identified", `\bIDENTIFIED\s+(?:WITH\s+\w+\s+)?BY\s+`+literal, password),
}

// pgpass matches a line of PostgreSQL's password file.
var pgpass = regexp.MustCompile(`(?m)^[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.*-]+:([^\s:]{6,})$`)

func shapeTriggers() (all []trigger) {
	for _, p := range places {
		all = append(all, trigger{word: p.mark, fold: true, find: p.find})
	}
	return append(all, trigger{word: ":5432:", find: pgpassLine}, trigger{word: ":*:", find: pgpassLine})
}

// find returns the secret around the mark at an offset.
func (p place) find(text string, at int) []Span {
	from := max(at-around, 0)
	if n := strings.LastIndexByte(text[from:at], '\n'); n >= 0 {
		from += n + 1
	}
	m := p.shape.FindStringSubmatchIndex(text[from:min(len(text), at+longestKey)])
	if m == nil || from+m[0] > at || from+m[1] < at+len(p.mark) {
		return nil
	}
	s := Span{from + m[len(m)-2], from + m[len(m)-1]}
	if p.holds != nil && !p.holds(text[s.Start:s.End]) {
		return nil
	}
	return []Span{s}
}

func pgpassLine(text string, at int) []Span {
	from := 1 + strings.LastIndexByte(text[:at], '\n')
	line := text[from:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	m := pgpass.FindStringSubmatchIndex(strings.TrimSuffix(line, "\r"))
	if m == nil || !password(line[m[2]:m[3]]) {
		return nil
	}
	return []Span{{from + m[2], from + m[3]}}
}

// privatePEM reports whether base64 encodes a private key in PEM.
func privatePEM(encoded string) bool {
	text, _ := base64.RawStdEncoding.DecodeString(encoded[:min(len(encoded)/4*4, 64)])
	return privateKey.Match(text)
}
