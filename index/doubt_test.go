package index_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"ploke-lsp/index"
)

// shop has a few folders, as projects have, so that what is found by chance is anywhere.
func shop() map[string]string {
	files := map[string]string{
		"cart/basket.go":     "package cart\n\n// AddItem puts an article into the basket of a customer.\nfunc AddItem() {}\n",
		"cart/discount.go":   "package cart\n\n// ApplyVoucher reduces the price of the basket by a voucher.\nfunc ApplyVoucher() {}\n",
		"mail/send.go":       "package mail\n\n// SendReceipt sends the customer a receipt when an order is paid.\nfunc SendReceipt() {}\n",
		"stock/warehouse.go": "package stock\n\n// Reserve keeps articles in the warehouse for an order until it is paid.\nfunc Reserve() {}\n",
		"user/login.go":      "package user\n\n// Login checks the password of a customer and opens a session.\nfunc Login() {}\n",
	}
	for n := range 20 {
		files[fmt.Sprintf("page%d/page.go", n)] = "package page\n\n" +
			fmt.Sprintf("// Show%d shows page number %d with its title.\nfunc Show%d() {}\n", n, n, n)
	}
	return files
}

func (p *project) results(q index.Query) *index.Results {
	p.t.Helper()
	results, err := p.index.Search(p.t.Context(), q)
	if err != nil {
		p.t.Fatal(err)
	}
	return results
}

// TestDoubt searches for what a project has, and for what it does not have.
func TestDoubt(t *testing.T) {
	p := open(t, shop())
	p.update()
	const few, none = "no place has many of the words", "no file has most of the words"
	foreign := " that ripens bananas in glass houses of volcanoes beside tall penguins"
	login := filepath.Join(p.root, "user", "login.go")
	for _, c := range []struct {
		name, query, want string
		editor            index.Editor
	}{
		{"a question with an answer", "how is a voucher applied to the basket", "", index.Editor{}},
		{"a task", "fix: keep articles reserved in the warehouse", "", index.Editor{}},
		{"a name", "SendReceipt", "", index.Editor{}},
		{"a mistyped word", "where is the pasword checked", "", index.Editor{}},
		{"mistyped words", "pasword vocher warehose recipt titel", "", index.Editor{}},
		{"a foreign question", "wo wird das Passwort geprüft", "", index.Editor{}},
		{"foreign words alone", "Passwort Datei Fehler Warteschlange Schlüssel Verbindung", "", index.Editor{}},
		{"a question in two languages", "was macht der Angestellte abends, um das warehouse article aufzuräumen", "", index.Editor{}},
		{"a question in Chinese", "夜里谁在打扫 warehouse 的走廊和楼梯", "", index.Editor{}},
		{"of another project", "how does the kernel schedule interrupts of a session on an idle processor", none, index.Editor{}},
		{"words that are anywhere", "title password receipt voucher warehouse session price articles order checks opens keeps puts reduces sends item receipts shows", few, index.Editor{}},
		{"a symbol among other words", "the function SendReceipt" + foreign, "", index.Editor{}},
		{"a quoted symbol", "the function `Reserve`" + foreign, "", index.Editor{}},
		{"a word that is a symbol", "the function Reserve" + foreign, none, index.Editor{}},
		{"a symbol that does not exist", "the function SendBananas" + foreign, none, index.Editor{}},
		{"a pasted symbol", "bananas" + foreign + "\nSendReceipt(1)", none, index.Editor{}},
		{"a file", "in user/login.go:" + foreign, "", index.Editor{}},
		{"a file that does not exist", "in user/logout.go:" + foreign, none, index.Editor{}},
		{"a pasted file", "a machine" + foreign + "\nuser/login.go", none, index.Editor{}},
		{"a line of a file", "a machine" + foreign + "\nuser/login.go:4", "", index.Editor{}},
		{"a line of an installed copy", "a machine" + foreign + "\n/home/ana/go/pkg/mod/example.com/shop@v1.2.3/user/login.go:4", none, index.Editor{}},
		{"the cursor", "does this function ripen" + foreign, "", index.Editor{Current: login, Offset: 20}},
		{"a cursor that is not meant", "does a machine ripen" + foreign, none, index.Editor{Current: login, Offset: 20}},
		{"nothing found", "xylophone", "", index.Editor{}},
	} {
		found := p.results(index.Query{Text: c.query, Editor: c.editor})
		if got := found.Doubt(); got != c.want {
			t.Errorf("%s: the doubt is %q of %+v", c.name, got, found.Evidence)
		}
	}
}

// TestConfidenceIsOfTheQuery asks for more and fewer results, and for those that a model reads.
func TestConfidenceIsOfTheQuery(t *testing.T) {
	p := open(t, shop())
	p.update()
	query := index.Query{Text: "which customer has an article of page 7 in the basket"}
	want := p.results(query)
	if c := want.Evidence.Confidence(); c <= 0 || c >= 1 {
		t.Errorf("the confidence is %v", c)
	}
	for _, limit := range []int{1, 3, 100} {
		for _, focused := range []bool{false, true} {
			query.Limit, query.Focused = limit, focused
			if got := p.results(query); got.Evidence != want.Evidence {
				t.Errorf("for %d results, focused %v: %+v instead of %+v", limit, focused, got.Evidence, want.Evidence)
			}
		}
	}
}
