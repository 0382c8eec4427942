// An answer with everything that Markdown has, for the folder of the tests.
export const richAnswer = `# Names and greetings

The parser is in greet/name.go:16, and \`greet/greet.go\` uses it; \`greet/nowhere.go\` does not exist. A *name* has
two parts, of which **one may be missing**, as [the specification](https://example.com/names) says.

## How it is read

<code="greet/name.go" #16:22>
func ParseName(line string) (Name, error) {
	given, family, _ := strings.Cut(strings.TrimSpace(line), " ")
	if given == "" {
		return Name{}, errors.New("the name is empty")
	}
	return Name{Given: given, Family: strings.TrimSpace(family)}, nil
}
</code>

1. White space around the line is removed.
2. The text before the first space is the given name:
   - it must not be empty,
   - the rest is the family name.

### What is left to do

- [x] Read the given name
- [ ] Read titles, such as *Dr.*

> A name is what a person calls themself.

| input | given | family | is it valid, and what does the parser return for it in the end? |
|:------|:-----:|-------:|---|
| Ada Lovelace | Ada | Lovelace | Yes, both parts are returned without the space between them |
| Plato | Plato | | Yes |

\`\`\`python
def parse(line: str) -> tuple[str, str]:
    """Reads a name."""
    given, _, family = line.strip().partition(" ")  # 1 split
    return given, family
\`\`\`

---

![a diagram](https://example.com/diagram.png) is never loaded.
`;
