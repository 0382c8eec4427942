package syntax

import "testing"

// TestUnfinishedCommonJS parses what a person has typed so far of an export or of a call that loads a module.
func TestUnfinishedCommonJS(t *testing.T) {
	for _, language := range []string{"javascript", "typescript"} {
		for _, text := range []string{
			"require()", "import()", "const a = require()", "x = await", "module.exports = {...}", "class A extends require()",
			"({ get x() { return } })", "module.exports = { get x() { return require('./y') } }", "exports.a = exports.b = class {}",
			"const { ... } = require('a')", "const {a: } = require('./a')", "const [a] = require('./a')", "__toESM()",
			"const a = __toESM()", "module.exports = Object.freeze()", "Object.assign(exports)", "const a = require('x')..b",
			"var = module.exports = function () {}", "const {a: {b}, c: [d, e = 1]} = require('./a').c.d",
			"const x = await (await import('./a')).b", "const {a} = require(", "__exportStar()", "Object.assign()",
		} {
			for end := range len(text) + 1 {
				if _, err := Parse(language, []byte(text[:end])); err != nil {
					t.Errorf("%s %q: %v", language, text[:end], err)
				}
			}
		}
	}
}
