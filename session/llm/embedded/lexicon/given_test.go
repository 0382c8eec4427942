package lexicon

import "testing"

// TestWhatALineGives says which value a line gives a name, in the forms of many languages.
func TestWhatALineGives(t *testing.T) {
	for line, want := range map[string]string{
		"    'max' => 5,": "max 5", `  "max": 5,`: "max 5", "max: 5": "max 5", "max = 5": "max 5", "$config['max'] = 25;": "max 25",
		"const maxHops = 8": "maxHops 8", "  private static final int MAX = 8;": "MAX 8", "MAX_HOPS: usize = 3;": "MAX_HOPS 3",
		"def f(a, hops=5):": "hops 5", "def f(a, hops: int = 5):": "hops 5", "fun f(hops: Int = 5)": "hops 5",
		"  hops?: number = 5": "hops 5", "function f(array $o = null, int $hops = 5)": "hops 5", "void F(int hops = 5)": "hops 5",
		"hops = opts.hops || 5": "hops 5", "hops: opts.hops ?? 5,": "hops 5", "val hops = map.getOrDefault(\"h\", 5)": "hops 5",
		"let hops = o.hops.unwrap_or(4);": "hops 4", "hops = os.environ.get('HOPS', 4)": "hops 4", "val hops = o ?: 4": "hops 4",
		`flags.IntVarP(&h, "hops", "n", 4, "of a ring")`: "hops 4", `flag.Int("hops", 4, "of")`: "hops 4",
		"#define MAX_HOPS 4": "MAX_HOPS 4", "  @hops 4": "hops 4", "x=${HOPS:-4}": "HOPS 4", "int hops_{4};": "hops_ 4",
		"Wait: 30 * time.Second,": "Wait 30 * time.Second", "wait = Duration::from_secs(30)": "wait Duration::from_secs(30)",
		"self.wait = timedelta(seconds=30)": "wait timedelta(seconds=30)", `shape = "round"`: `shape "round"`,
		"shape: Shape::Round,": "shape Shape::Round", "if size >= 256 {": "size 256", "if a != 3 {": "", "return 5": "",
		"hops = None": "hops None",
	} {
		found := false
		for _, g := range GivenIn(line) {
			found = found || g.Name+" "+g.Value == want
		}
		if !found && want != "" || want == "" && len(GivenIn(line)) > 0 {
			t.Errorf("%q: %v, want %q", line, GivenIn(line), want)
		}
	}
	for line, want := range map[string]string{`.default_value("4")`: `"4"`, "default=4,": "4", "  default: 4": "4", `.default(4)`: "4",
		`@DefaultValue("4")`: "", "`env:\"HOPS\" default:\"4\"`": `"4"`, "#[arg(long, default_value_t = 4)]": "4", "hops = 4": ""} {
		if got := DefaultIn(line); got != want && want != "" || want == "" && got != "" && line == "hops = 4" {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
