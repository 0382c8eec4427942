package secretscan

import (
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// rule detects one kind of secret by a prefix that begins the secret or comes right
// before it.
type rule struct {
	prefix string
	shape  *lazyregexp.Regexp       // matches from the prefix on; a group, if any, is the secret
	holds  func(secret string) bool // further check; may be nil
}

func shaped(prefix, rest string) rule {
	return rule{prefix: prefix, shape: lazyregexp.New(`^` + regexp.QuoteMeta(prefix) + rest)}
}

// checked is like shaped, for a prefix that other text has, too.
func checked(prefix, rest string, holds func(string) bool) rule {
	r := shaped(prefix, rest)
	r.holds = holds
	return r
}

// issued are the formats of keys as their issuers document them.
var issued = []rule{
	shaped("AKIA", `[A-Z0-9]{16}\b`), // AWS
	shaped("ASIA", `[A-Z0-9]{16}\b`),
	shaped("ghp_", `[A-Za-z0-9]{36,}`), // GitHub
	shaped("gho_", `[A-Za-z0-9]{36,}`),
	shaped("ghu_", `[A-Za-z0-9]{36,}`),
	shaped("ghs_", `[A-Za-z0-9]{36,}`),
	shaped("ghr_", `[A-Za-z0-9]{36,}`),
	shaped("github_pat_", `\w{22,}`),
	shaped("glpat-", `[\w-]{20,}(?:\.[\w.-]+)?`), // GitLab
	shaped("gldt-", `[\w-]{20,}`),
	shaped("glrt-", `[\w-]{20,}`),
	shaped("glptt-", `[0-9a-f]{40}`),
	shaped("xox", `[abceoprs]-[A-Za-z0-9-]{10,}`), // Slack
	shaped("xapp-", `\d-[A-Za-z0-9-]{20,}`),
	shaped("hooks.slack.com/services/", `(T\w+/B\w+/\w{16,})`),
	shaped("discord.com/api/webhooks/", `\d+/([\w-]{60,})`),
	checked("sk-", `[\w-]{20,}`, random),            // OpenAI, Anthropic, OpenRouter and others
	checked("sk_live_", `[A-Za-z0-9]{16,}`, random), // Stripe
	checked("sk_test_", `[A-Za-z0-9]{16,}`, random),
	checked("rk_live_", `[A-Za-z0-9]{16,}`, random),
	shaped("whsec_", `[A-Za-z0-9+/=]{24,}`),
	shaped("AIza", `[\w-]{35}`), // Google
	shaped("AAAA", `[\w-]{7}:[\w-]{140}`),
	shaped("GOCSPX-", `[\w-]{28}`),
	shaped("ya29.", `[\w-]{20,}`),
	checked("SK", `[0-9a-f]{32}\b`, nil), // Twilio
	shaped("npm_", `[A-Za-z0-9]{36}\b`),
	shaped("pypi-AgEI", `[\w-]{50,}`),
	shaped("dckr_pat_", `[\w-]{27}`),      // Docker Hub
	shaped("hf_", `[A-Za-z0-9]{30,}`),     // Hugging Face
	shaped("SG.", `[\w-]{22}\.[\w-]{43}`), // SendGrid
	shaped("key-", `[0-9a-f]{32}\b`),      // Mailgun
	shaped("dop_v1_", `[a-f0-9]{64}`),     // DigitalOcean
	shaped("HRKU-", `[\w-]{30,}`),         // Heroku
	shaped("shpat_", `[a-fA-F0-9]{32}`),   // Shopify
	shaped("shpss_", `[a-fA-F0-9]{32}`),
	shaped("shpca_", `[a-fA-F0-9]{32}`),
	shaped("sq0csp-", `[\w-]{43}`), // Square
	shaped("sq0atp-", `[\w-]{22}`),
	shaped("EAAA", `[\w-]{60}`),
	shaped("dapi", `[a-f0-9]{32}\b`), // Databricks
	shaped("hvs.", `[\w-]{24,}`),     // Vault
	shaped("hvb.", `[\w-]{24,}`),
	shaped("glsa_", `[A-Za-z0-9]{32}_[0-9a-f]{8}`), // Grafana
	shaped("glc_eyJ", `[A-Za-z0-9+/=]{30,}`),
	shaped("NRAK-", `[A-Z0-9]{27}`), // New Relic
	shaped("sntrys_eyJ", `[\w+/=]{40,}`),
	shaped("lin_api_", `[A-Za-z0-9]{40}`),
	shaped("AGE-SECRET-KEY-1", `[A-Z0-9]{58}`),
	shaped("AccountKey=", `([A-Za-z0-9+/]{40,}={0,2})`),               // Azure
	shaped("SharedAccessKey=", `([A-Za-z0-9+/]{40,}={0,2})`),          // Azure
	checked("LS0tLS1CRUdJTi", `[A-Za-z0-9+/]{40,}={0,2}`, encodedPEM), // PEM in base64
	shaped("eyJ", `[\w-]{10,}\.eyJ[\w-]{10,}\.?[\w-]*`),               // JSON Web Tokens
}

func issuerTriggers() (all []trigger) {
	for _, r := range issued {
		all = append(all, trigger{word: r.prefix, find: r.find})
	}
	return all
}

// longestKey is the length in bytes that is looked at for one key. A longer key goes on to
// the end of its word.
const longestKey = 1 << 10

// extended returns a span that ends where only the text's window ended, up to its real end.
func extended(text string, s Span, window int) Span {
	for s.End >= window && s.End < len(text) && (base64Character(text[s.End]) || strings.IndexByte("-_=.~", text[s.End]) >= 0) {
		s.End++
	}
	return s
}

// find returns the secret whose prefix is at an offset.
func (r rule) find(text string, at int) []Span {
	if !wordStarts(text, at) || strings.HasSuffix(text[:at], r.prefix) {
		return nil
	}
	window := min(len(text), at+longestKey)
	m := r.shape.FindStringSubmatchIndex(text[at:window])
	if m == nil {
		return nil
	}
	s := extended(text, Span{at + m[len(m)-2], at + m[len(m)-1]}, window)
	if r.holds != nil && !r.holds(text[s.Start:s.End]) {
		return nil
	}
	return []Span{s}
}
