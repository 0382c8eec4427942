package secretscan

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// place is a place for secrets: a mark in the text, and what is at or around it.
type place struct {
	mark   string             // in lower case; upper case counts as lower case
	shape  *lazyregexp.Regexp // its last group is the secret
	holds  func(secret string) bool
	before int    // the bytes before the mark at which the shape begins
	ends   string // separators that end the shape; see trigger
}

// afterMark is how many bytes a shape spans at most, from its mark on.
const afterMark = 256

const (
	literal = `["'` + "`" + `]([^\s"'` + "`" + `]{6,})["'` + "`" + `]` // of a programming language
	bare    = `["']?([^\s"'` + "`" + `<>|&;(){}$\\]{6,})`              // an argument of a command
	user    = `[\w.@+%-]{1,64}`
	options = `\w*\b[^\n|;]{0,100}?\s` // the arguments before it
)

// at returns a place whose shape begins at the mark.
func at(mark, shape string, holds func(string) bool) place {
	return across(mark, 0, shape, holds)
}

// across returns a place whose shape begins some bytes before the mark. The secret goes on to
// the beginning of its word.
func across(mark string, before int, shape string, holds func(string) bool) place {
	return place{mark: mark, shape: lazyregexp.New(`^(?i:` + shape + `)`), holds: holds, before: before}
}

// command returns a place in the arguments of a command.
func command(name, shape string) place {
	p := at(name, name+options+shape, password)
	p.ends = "\n|;"
	return p
}

func anything(string) bool { return true }

var places = []place{
	at("://", `://[^\s/:@"'<>]*:([^\s/@"'<>{}()\[\]&;$%]{6,})@`, inURL),
	at("://", `://([\w-]{20,})@`, random),                                               // a token without a password
	at("otpauth://", `otpauth://[^\s"'<>]{1,200}?[?&]secret=([a-z2-7]{16,})`, anything), // one-time passwords
	at(":thin:", `:thin:[^\s/@"']+/([^\s/@"']{6,})@`, password),                         // Oracle
	at("authorization", `authorization\W{1,6}Basic ([a-z0-9+/]{12,}={0,2})`, credentials),
	at("basic ", `basic ([a-z0-9+/]{12,}={0,2})["']`, credentials),
	at("bearer", `bearer[ \t]+([\w.~+/=-]{20,})`, mixedWord),
	across(".atlasv1.", 14, `(\w{14}\.atlasv1\.[\w-]{60,})`, anything),                    // Terraform Cloud
	across("8q~", 3, `([\w~.-]{3}8Q~[\w~.-]{31,34})`, random),                             // Azure
	across(":aa", 8, `(\d{8}:AA[\w-]{33})\b`, anything),                                   // Telegram
	at(".login(", `\.login\(\s*["']([\w-]{23,26}\.[\w-]{6}\.[\w-]{27,38})["']`, anything), // Discord
	at(".run(", `\.run\(\s*["']([\w-]{23,26}\.[\w-]{6}\.[\w-]{27,38})["']`, anything),
	// Arguments of commands.
	command("curl", `(?:-u|--user|--proxy-user)[ =]?["']?`+user+`:`+bare),
	command("wget", `--(?:http-|ftp-|proxy-)?password[ =]`+bare),
	command("mysql", `-p`+bare),
	at("sshpass", `sshpass\s+-p\s*`+bare, password),
	command("redis-cli", `-a\s*`+bare),
	command("docker login", `-p\s*`+bare),
	at("htpasswd", `htpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+`+bare, password),
	at(" -pass", `\s-pass(?:in|out)?\s+pass:`+bare, password),
	at(" -p ", ` -p[ =]`+bare, generatedPassword), // and -P
	at(" -n ", ` -N `+bare, generatedPassword),    // ssh-keygen
	// Calls with a user's name and a password.
	at("basicauth(", `BasicAuth\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at(".login(", `\.login\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at("auth=(", `auth=\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at("credential(", `Credential\(\s*[^\n()]{1,80}?,\s*`+literal, password),
	at("getconnection(", `getConnection\(\s*[^\n()]{1,200}?,[^\n()]{1,80}?,\s*`+literal, password),
	at("convertto-securestring", `ConvertTo-SecureString\s+(?:-String\s+)?`+literal, password),
	at("identified", `IDENTIFIED\s+(?:WITH\s+\w+\s+)?BY\s+`+literal, password),
}

// pgpass matches a line of PostgreSQL's password file.
var pgpass = lazyregexp.New(`^[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.*-]+:([^\s:]{6,})$`)

func shapeTriggers() (all []trigger) {
	for _, p := range places {
		all = append(all, trigger{word: p.mark, fold: true, find: p.find, separators: p.ends})
	}
	return append(all, trigger{word: ":5432:", find: pgpassLine}, trigger{word: ":*:", find: pgpassLine})
}

// find returns the secret at or around the mark at an offset.
func (p place) find(text string, at int) []Span {
	from := at - p.before
	if from < 0 {
		return nil
	}
	m := p.shape.FindStringSubmatchIndex(text[from:min(len(text), at+afterMark)])
	if m == nil {
		return nil
	}
	s := Span{from + m[len(m)-2], from + m[len(m)-1]}
	if !p.holds(text[s.Start:s.End]) {
		return nil
	}
	return []Span{s}
}

func pgpassLine(text string, at int) []Span {
	from := max(at-longName, 0)
	from += 1 + strings.LastIndexByte(text[from:at], '\n')
	line := text[from:min(len(text), at+longName)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	m := pgpass.FindStringSubmatchIndex(strings.TrimSuffix(line, "\r"))
	if m == nil || !password(line[m[2]:m[3]]) {
		return nil
	}
	return []Span{{from + m[2], from + m[3]}}
}
