// Quotes a text as a block of Markdown.

/** Returns a fenced block. The fence is longer than any in the text. */
export function quote(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}\n`;
}
