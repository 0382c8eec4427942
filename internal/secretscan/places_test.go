package secretscan

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// secretPlaces are secrets in addresses and in the files of programs, where the place tells what they are. They are written as those of
// variedSecrets.
var secretPlaces = map[string]string{
	"one-time password":     "otpauth://totp/Example:me@example.org?secret=«[upper32]»&issuer=Example\n",
	"short one-time":        "uri: otpauth://totp/Example?issuer=Example&secret=«[upper16]»\n",
	"SAS of a container":    "curl 'https://x.blob.core.windows.net/c?sv=2024-11-04&ss=b&se=2026-01-01&sp=rl&sig=«[base43]%3D»'\n",
	"SAS in a string":       "BlobEndpoint=https://x.blob.core.windows.net/;SharedAccessSignature=sv=2024&sig=«[base43]%3D»\n",
	"Power Automate":        "https://prod-01.westus.logic.azure.com/workflows/[hex32]/triggers/manual/paths/invoke?sp=%2Ftriggers&sv=1.0&sig=«[url43]»\n",
	"signed by AWS":         "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-Signature=«[hex64]»&x-id=GetObject\n",
	"signed by Google":      "https://storage.googleapis.com/b/k?X-Goog-Date=20260101T000000Z&X-Goog-Signature=«[hex512]»\n",
	"Teams":                 "https://x.webhook.office.com/webhookb2/[uuid]@[uuid]/IncomingWebhook/«[hex32]/[uuid]»\n",
	"Teams with a version":  "https://x.webhook.office.com/webhookb2/[uuid]@[uuid]/IncomingWebhook/«[hex32]/[uuid]/V2[url42]»\n",
	"Discord":               "https://discord.com/api/webhooks/[digit19]/«[url68]»\n",
	"Discord of old":        "https://canary.discordapp.com/api/webhooks/[digit18]/«[url68]»\n",
	"Slack workflow":        "https://hooks.slack.com/workflows/«T[upper8]/A[upper9]/[digit18]/[alnum24]»\n",
	"Slack trigger":         "https://hooks.slack.com/triggers/«E[upper8]/[digit13]/[hex32]»\n",
	"Zapier":                "https://hooks.zapier.com/hooks/catch/«[digit7]/[lower7]»/\n",
	"Make":                  "https://hook.eu1.make.com/«[lower32]»\n",
	"mongodb":               "mongodb+srv://app:«[alnum16]»@c0.example.net/?retryWrites=true\n",
	"postgres":              "DATABASE_URL=postgres://app:«[alnum16]»@db/shop?sslmode=require\n",
	"redis":                 "rediss://default:«[alnum32]»@x.upstash.io:6379\n",
	"npmrc":                 "//registry.example.org/:_authToken=«[alnum36]»\n",
	"npmrc password":        "//registry.example.org/:_password=«[base24]»\n",
	"pypirc":                "[pypi]\nusername = __token__\npassword = «[url60]»\n",
	"netrc":                 "machine api.example.org\n  login bot\n  password «[alnum20]»\n",
	"dockerconfigjson":      "{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"«[base40]»\"}}}\n",
	"kubeconfig":            "users:\n- name: me\n  user:\n    client-key-data: «[base800]»\n",
	"kubeconfig token":      "    token: «[url120]»\n",
	"Cargo credentials":     "[registry]\ntoken = \"«[alnum35]»\"\n",
	"gem credentials":       "---\n:rubygems_api_key: «[hex40]»\n",
	"composer":              "{\"http-basic\":{\"repo.example.org\":{\"username\":\"app\",\"password\":\"«[alnum20]»\"}}}\n",
	"Maven":                 "<server><id>x</id><username>app</username><password>«[alnum16]»</password></server>\n",
	"NuGet":                 "<add key=\"ClearTextPassword\" value=\"«[alnum16]»\" />\n",
	"git credentials":       "https://app:«[alnum20]»@git.example.org\n",
	"Rails master key":      "RAILS_MASTER_KEY=«[hex32]»\n",
	"Cloudinary":            "CLOUDINARY_URL=cloudinary://[digit15]:«[url27]»@demo\n",
	"Sentry of old":         "dsn: https://[hex32]:«[hex32]»@o1.ingest.sentry.io/2\n",
	"web token, five parts": "«eyJhbGciOiJSU0EtT0FFUCJ9.[url80].[url16].[url90].[url22]»\n",
}

func TestSecretsOfPlacesAreFound(t *testing.T) {
	const rounds = 20
	random := rand.New(rand.NewPCG(38, 16))
	for _, name := range slices.Sorted(maps.Keys(secretPlaces)) {
		missed := ""
		times := 0
		for range rounds {
			text, secrets := fill(random, secretPlaces[name])
			found := Find(text)
			if slices.ContainsFunc(secrets, func(s Span) bool { return !covered(s, found) }) {
				missed, times = text, times+1
			}
		}
		if times > rounds/10 {
			t.Errorf("%s: %d of %d are missed, such as in %q", name, times, rounds, missed)
		}
	}
}
