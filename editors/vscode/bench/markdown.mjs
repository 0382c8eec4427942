// Markdown as models write it, of any length and always the same.
const parts = [
  (n) => `## Step ${n}\n\n`,
  (n) => `The function \`Greeting\` of [greet.go](greet/greet.go) reads the **name** of person ${n}, and decides what to say. ` +
    "It keeps the given name and the family name apart, since a letter needs both, and a note only the first.\n\n",
  (n) => `- takes the line ${n} as it is typed\n- removes *spaces* at both ends\n- splits at the first space\n\n`,
  (n) => `\`\`\`go\nfunc greet${n}(line string) (string, error) {\n\tname, err := ParseName(line) // may be empty\n` +
    "\tif err != nil {\n\t\treturn \"\", fmt.Errorf(\"greet %q: %w\", line, err)\n\t}\n\treturn Greeting(name), nil\n}\n```\n\n",
  (n) => `| person | greeting |\n|---|---|\n| ${n} | Hello |\n| ${n + 1} | Good morning |\n\n`,
  (n) => `1. Read the line ${n}.\n2. Parse it.\n3. Print the greeting.\n\n`,
];

/** Returns so many characters of Markdown. */
export function markdown(length) {
  let text = "";
  for (let n = 0; text.length < length; n++) text += parts[n % parts.length](n);
  return text.slice(0, length);
}
