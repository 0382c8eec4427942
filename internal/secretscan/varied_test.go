package secretscan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// variedSecrets are 120 ways in which secrets stand in files, as an attacker or a careless
// colleague would write them. What is secret is between « and ». [kindN] becomes N random
// characters of a kind, and [linesN] N lines of base64. The list was written before the
// rules that the test is about; kinds that are missed stay in it.
var variedSecrets = map[string]string{
	// Shells.
	"export":                "export DB_PASSWORD=«[pass14]»\n",
	"quoted variable":       "DB_PASS=\"«[pass12]»\"\n",
	"variable of a command": "PGPASSWORD=«[alnum12]» psql -h db -U app shop\n",
	"mysql -p":              "mysql -h db -u root -p«[alnum12]» shop < dump.sql\n",
	"mysqldump":             "mysqldump --user=backup --password=«[alnum14]» shop > dump.sql\n",
	"curl -u":               "curl -sf -u deploy:«[alnum16]» https://ci.example.org/job\n",
	"curl bearer":           "curl -H \"Authorization: Bearer «[url40]»\" https://example.org/\n",
	"curl header":           "curl -H 'X-Api-Key: «[hex32]»' https://example.org/\n",
	"docker run -e":         "docker run -d -e MYSQL_ROOT_PASSWORD=«[alnum12]» mysql:8\n",
	"docker login":          "docker login -u robot -p «[alnum20]» registry.example.org\n",
	"sshpass":               "sshpass -p '«[pass10]»' ssh root@10.0.0.5 uptime\n",
	"redis-cli":             "redis-cli -h cache -a «[alnum16]» ping\n",
	"batch":                 "@echo off\r\nset SECRET_KEY=«[alnum32]»\r\n",
	"PowerShell":            "$env:API_KEY = \"«[alnum32]»\"\n",
	"secure string":         "$p = ConvertTo-SecureString \"«[pass12]»\" -AsPlainText -Force\n",
	"openssl":               "openssl enc -d -aes-256-cbc -pass pass:«[alnum14]» -in a -out b\n",
	"git clone":             "git clone https://oauth2:«[alnum20]»@git.example.org/team/x.git\n",
	"kubectl":               "kubectl create secret generic db --from-literal=password=«[alnum16]»\n",
	"wget":                  "wget --user=bot --http-password=«[alnum12]» https://example.org/x\n",
	"fish":                  "set -gx CLIENT_SECRET «[alnum24]»\n",
	// Configuration.
	"YAML letters":        "db:\n  user: app\n  password: «[lower14]»\n",
	"YAML pass":           "smtp:\n  user: app\n  pass: «[alnum12]»\n",
	"YAML folded":         "password: >-\n  «[alnum20]»\nuser: app\n",
	"Kubernetes secret":   "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: «[base24]»\n",
	"Kubernetes variable": "env:\n  - name: DB_PASSWORD\n    value: \"«[alnum16]»\"\n",
	"compose":             "environment:\n  - POSTGRES_PASSWORD=«[alnum14]»\n",
	"JSON letters":        "{\"user\": \"app\", \"password\": \"«[lower12]»\"}\n",
	"JSON name and value": "[{\"name\": \"API_TOKEN\", \"value\": \"«[alnum32]»\"}]\n",
	"TOML":                "secret_key = '«[base44]»'\n",
	"INI":                 "[client]\nuser=app\npassword=«[alnum10]»\n",
	"properties":          "spring.datasource.password=«[pass12]»\n",
	"XML element":         "<user>app</user>\n<password>«[alnum12]»</password>\n",
	"XML settings":        "<add key=\"ApiSecret\" value=\"«[base32]»\" />\n",
	"XML attribute":       "<user name=\"app\" password=\"«[alnum12]»\"/>\n",
	"netrc":               "machine api.example.org login bot password «[alnum16]»\n",
	"pgpass":              "db.example.org:5432:shop:app:«[alnum14]»\n",
	"npm token":           "//registry.example.org/:_authToken=«[uuid]»\n",
	"npm auth":            "registry=https://npm.example.org/\n_auth=«[base28]»\n",
	"docker auth":         "{\"auths\": {\"registry.example.org\": {\"auth\": \"«[base40]»\"}}}\n",
	"kubeconfig key":      "users:\n- name: me\n  user:\n    client-key-data: «[base400]»\n",
	"kubeconfig token":    "users:\n- name: me\n  user:\n    token: «[url60]»\n",
	"nginx":               "proxy_set_header Authorization \"Basic «[base28]»\";\n",
	"HTTP basic":          "GET / HTTP/1.1\nAuthorization: Basic «[base24]»\n",
	"ansible":             "web1 ansible_host=10.0.0.5 ansible_ssh_pass=«[alnum12]»\n",
	"Terraform default":   "variable \"db_password\" {\n  type    = string\n  default = \"«[alnum16]»\"\n}\n",
	"tfvars letters":      "db_pw = \"«[lower12]»\"\n",
	"workflow":            "env:\n  SONAR_TOKEN: «[hex40]»\n",
	"Gradle":              "signingConfigs { release { storePassword \"«[alnum12]»\" } }\n",
	"wifi":                "network={\n  ssid=\"home\"\n  psk=\"«[alnum12]»\"\n}\n",
	"WireGuard":           "[Interface]\nPrivateKey = «[base43]=»\nAddress = 10.0.0.1\n",
	"Rails":               "production:\n  secret_key_base: «[hex128]»\n",
	"Laravel":             "APP_KEY=base64:«[base43]=»\n",
	"WordPress":           "define('DB_PASSWORD', '«[pass14]»');\n",
	"WordPress salt":      "define( 'AUTH_KEY',         '«[sign64]»' );\n",
	"PHP":                 "'password' => '«[alnum12]»',\n",
	"Redis":               "maxmemory 1gb\nrequirepass «[alnum20]»\n",
	"Spring in XML":       "<property name=\"password\" value=\"«[alnum12]»\"/>\n",
	"Ant":                 "<property name=\"keystore.password\"><value>«[alnum12]»</value></property>\n",
	// Code.
	"Go constant":         "const apiKey = \"«[alnum32]»\"\n",
	"Go field":            "cfg := Config{User: \"app\", Password: \"«[lower12]»\"}\n",
	"Go call":             "client.SetPassword(\"«[alnum12]»\")\n",
	"Go basic":            "req.SetBasicAuth(\"bot\", \"«[alnum16]»\")\n",
	"Java call":           "ds.setPassword(\"«[lower12]»\");\n",
	"Java connection":     "c = DriverManager.getConnection(url, \"app\", \"«[alnum12]»\");\n",
	"Java constant":       "private static final String SECRET = \"«[alnum32]»\";\n",
	"C macro":             "#define WIFI_PASSWORD \"«[alnum12]»\"\n",
	"C array":             "static const char pwd[] = \"«[alnum12]»\";\n",
	"C# credential":       "var c = new NetworkCredential(\"app\", \"«[alnum12]»\");\n",
	"ADO":                 "var s = \"Server=db;Database=shop;User Id=sa;Pwd=«[pass12]»;Encrypt=true\";\n",
	"JDBC":                "url=jdbc:mysql://db/shop?user=app&password=«[alnum12]»&useSSL=true\n",
	"Oracle":              "url=jdbc:oracle:thin:scott/«[alnum10]»@db:1521:xe\n",
	"AMQP":                "broker: amqp://worker:«[alnum12]»@mq:5672/jobs\n",
	"Mongo":               "uri = mongodb+srv://app:«[alnum16]»@cluster0.example.net/shop\n",
	"Redis URL":           "REDIS_URL=redis://:«[alnum20]»@cache:6379/0\n",
	"DSN":                 "dsn := \"host=db user=app password=«[alnum12]» dbname=shop\"\n",
	"Python tuple":        "r = requests.get(url, auth=(\"bot\", \"«[alnum16]»\"))\n",
	"Python dictionary":   "config['pw'] = '«[alnum10]»'\n",
	"Python argument":     "db = connect(host=\"db\", passwd=\"«[lower10]»\")\n",
	"JavaScript template": "const secret = `«[alnum24]»`;\n",
	"JavaScript object":   "new S3({ region: 'x', secretAccessKey: '«[base40]»' })\n",
	"Ruby":                ":username => \"app\", :password => \"«[alnum12]»\"\n",
	"Ruby environment":    "ENV['STRIPE_SECRET'] ||= '«[alnum32]»'\n",
	"Rust":                "let token: &str = \"«[alnum32]»\";\n",
	"Swift":               "let clientSecret = \"«[url32]»\"\n",
	"Perl":                "my $pass = '«[alnum10]»';\n",
	"Lua":                 "password = [[«[alnum12]»]]\n",
	"SQL":                 "CREATE USER app WITH PASSWORD '«[alnum12]»';\n",
	"MySQL":               "CREATE USER 'app'@'%' IDENTIFIED BY '«[alnum12]»';\n",
	"Visual Basic":        "Dim pwd As String = \"«[alnum12]»\"\n",
	"Dockerfile":          "FROM alpine\nENV ADMIN_PASSWORD «[alnum12]»\n",
	"prose":               "The staging password is «[alnum12]», please change it.\n",
	// Formats of issuers.
	"AWS id":              "id: «AKIA[upper16]»\n",
	"AWS secret":          "aws_secret_access_key = «[base40]»\n",
	"GitHub":              "remote: «ghp_[alnum36]»\n",
	"GitHub fine-grained": "use «github_pat_[alnum22]_[alnum59]» here\n",
	"GitLab":              "«glpat-[url20]»\n",
	"Slack":               "bot «xoxb-[digit12]-[digit12]-[alnum24]»\n",
	"Slack hook":          "post https://hooks.slack.com/services/«T[upper8]/B[upper8]/[alnum24]»\n",
	"Stripe":              "charge(«sk_live_[alnum24]»)\n",
	"Twilio":              "TWILIO_AUTH_TOKEN=«[hex32]»\n",
	"SendGrid":            "mail(«SG.[url22].[url43]»)\n",
	"Mailgun":             "mg: «key-[hex32]»\n",
	"npm":                 "x «npm_[alnum36]»\n",
	"PyPI":                "twine «pypi-AgEIcHlwaS5vcmc[url120]»\n",
	"Docker Hub":          "hub «dckr_pat_[url27]»\n",
	"OpenAI":              "ask «sk-proj-[alnum40]T3BlbkFJ[alnum40]»\n",
	"Anthropic":           "ask «sk-ant-api03-[url93]AA»\n",
	"Telegram":            "bot.run('«[digit9]:AA[url33]»')\n",
	"Discord":             "bot.run('«M[alnum23].[url6].[url38]»')\n",
	"Vault":               "see «hvs.[url90]»\n",
	"Terraform Cloud":     "see «[alnum14].atlasv1.[url60]»\n",
	"Azure":               "\"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=«[base86]==»;EndpointSuffix=core.windows.net\"\n",
	"age":                 "«AGE-SECRET-KEY-1[upper58]»\n",
	"Heroku":              "HEROKU_API_KEY=«[uuid]»\n",
	"web token":           "see «eyJhbGciOiJIUzI1NiJ9.eyJ[url60].[url43]»\n",
	// Keys of several lines.
	"OpenSSH":         "-----BEGIN OPENSSH PRIVATE «»KEY-----\n«[lines24]»\n-----END OPENSSH PRIVATE «»KEY-----\n",
	"key in a string": "key = \"-----BEGIN PRIVATE «»KEY-----\\n«[escapedlines12]»\\n-----END PRIVATE «»KEY-----\\n\"\n",
	"PGP":             "-----BEGIN PGP PRIVATE «»KEY BLOCK-----\nVersion: GnuPG v2\n\n«[lines12]»\n=«[base4]»\n-----END PGP PRIVATE «»KEY BLOCK-----\n",
	"PuTTY":           "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 8\n«[lines8]»\nPrivate-MAC: «[hex40]»\n",
	"JWK":             "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"[url342]\",\"d\":\"«[url342]»\",\"p\":\"«[url171]»\",\"q\":\"«[url171]»\"}\n",
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// alphabets are the kinds of random characters.
var alphabets = map[string]string{
	"alnum": lowerLetters + upperLetters + digits,
	"pass":  lowerLetters + upperLetters + digits + "!#*+-_@",
	"hex":   digits + "abcdef",
	"upper": upperLetters + "234567",
	"digit": digits,
	"lower": lowerLetters,
	"base":  lowerLetters + upperLetters + digits + "+/",
	"url":   lowerLetters + upperLetters + digits + "-_",
	"sign":  lowerLetters + upperLetters + digits + "!@#%^&*()-_[]{}<>~+=,.;:/?|",
}

var randomPart = regexp.MustCompile(`\[([a-z]+)(\d*)\]`)

// random returns n characters of a kind. Passwords of several kinds of characters have one of
// each, as people are told to choose them.
func randomText(r *rand.Rand, kind string, n int) string {
	pick := func(alphabet string, n int) string {
		out := make([]byte, n)
		for i := range out {
			out[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(out)
	}
	lines := func(between string) string {
		var all []string
		for range n - 1 {
			all = append(all, pick(alphabets["base"], 70))
		}
		return strings.Join(append(all, pick(alphabets["base"], 22)+"=="), between)
	}
	switch kind {
	case "uuid":
		return strings.Join([]string{pick(alphabets["hex"], 8), pick(alphabets["hex"], 4), "4" + pick(alphabets["hex"], 3),
			"a" + pick(alphabets["hex"], 3), pick(alphabets["hex"], 12)}, "-")
	case "lines":
		return lines("\n")
	case "escapedlines":
		return lines("\\n")
	case "alnum", "pass":
		return pick(lowerLetters, 1) + pick(alphabets[kind], n-4) + pick(digits, 1) + pick(upperLetters, 1) + pick(alphabets["alnum"], 1)
	}
	return pick(alphabets[kind], n)
}

// fill returns a text with random secrets, and where they are, line by line.
func fill(r *rand.Rand, pattern string) (text string, secrets []Span) {
	pattern = randomPart.ReplaceAllStringFunc(pattern, func(part string) string {
		m := randomPart.FindStringSubmatch(part)
		n, _ := strconv.Atoi(m[2])
		return randomText(r, m[1], n)
	})
	for i, piece := range regexp.MustCompile(`[«»]`).Split(pattern, -1) {
		if i%2 == 1 {
			at := len(text)
			for line := range strings.Lines(strings.ReplaceAll(piece, `\n`, "\x00\n")) {
				line = strings.TrimRight(line, "\n")
				escaped := strings.HasSuffix(line, "\x00")
				line = strings.TrimRight(line, "\x00")
				secrets = append(secrets, Span{at, at + len(line)})
				at += len(line) + 1
				if escaped {
					at++
				}
			}
		}
		text += piece
	}
	return text, secrets
}

// TestVariedSecretsAreFound generates each kind of secret several times. A kind counts as
// found if each byte of each of its secrets is.
func TestVariedSecretsAreFound(t *testing.T) {
	const rounds, least = 5, 108
	if len(variedSecrets) != 120 {
		t.Fatalf("%d kinds", len(variedSecrets))
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var missed []string
	for _, name := range slices.Sorted(maps.Keys(variedSecrets)) {
		for range rounds {
			text, secrets := fill(random, variedSecrets[name])
			found := Find(text)
			if i := slices.IndexFunc(secrets, func(s Span) bool { return !covered(s, found) }); i >= 0 {
				s := secrets[i]
				missed = append(missed, fmt.Sprintf("%s: %q in %.200q", name, text[s.Start:s.End], text))
				break
			}
		}
	}
	t.Logf("%d of %d kinds are found; missed:\n%s", len(variedSecrets)-len(missed), len(variedSecrets), strings.Join(missed, "\n"))
	if len(variedSecrets)-len(missed) < least {
		t.Errorf("%d of %d kinds are missed", len(missed), len(variedSecrets))
	}
}

func covered(s Span, by []Span) bool {
	return s.Start == s.End || slices.ContainsFunc(by, func(b Span) bool { return b.Start <= s.Start && s.End <= b.End })
}
