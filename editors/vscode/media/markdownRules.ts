// What Markdown has here beyond its standard: keys as in <kbd>Ctrl</kbd>, footnotes, and formulas. The server has escaped
// HTML and images.
import type MarkdownIt from "markdown-it";

type Parser = InstanceType<typeof MarkdownIt>;

const key = /(?:<|&lt;)kbd>([^<>&\n]{1,40})(?:<|&lt;)\/kbd>/y;
const picture = /\\?!\[([^[\]\n]*)\]\((https?:[^\s()]+)(?:\s[^()\n]*)?\)/y;
const reference = /\[\^([\w-]{1,40})\]/y;
const definition = /^\[\^([\w-]{1,40})\]: ?/;
/** Prices and shell variables are no formulas: they have white space inside of the signs, or go on behind them. */
const formula = /\$\$([^$\n]+?)\$\$|\$(?=[^\s$])([^$\n]*?)(?<=[^\s\\])\$(?![\w$])|\\\((.+?)\\\)|\\\[(.+?)\\\]/y;

export function addRules(markdown: Parser): void {
  const { inline, block } = markdown;
  inline.ruler.before("html_inline", "kbd", (state, silent) => {
    const found = at(key, state.src, state.pos);
    if (found && !silent) state.push("kbd", "kbd", 0).content = found[1] ?? "";
    if (found) state.pos += found[0].length;
    return found !== null;
  });
  inline.ruler.before("escape", "picture", (state, silent) => {
    const found = at(picture, state.src, state.pos);
    if (found && !silent) {
      const token = state.push("image", "a", 0);
      token.content = found[1] ?? "";
      token.attrSet("src", found[2] ?? "");
    }
    if (found) state.pos += found[0].length;
    return found !== null;
  });
  inline.ruler.before("link", "footnote", (state, silent) => {
    const found = at(reference, state.src, state.pos);
    if (found && !silent) state.push("footnote", "sup", 0).content = found[1] ?? "";
    if (found) state.pos += found[0].length;
    return found !== null;
  });
  inline.ruler.before("escape", "math", (state, silent) => {
    const found = at(formula, state.src, state.pos);
    if (!found) return false;
    if (!silent) state.push(found[1] || found[4] ? "math_block" : "math", "", 0).content = (found[1] ?? found[2] ?? found[3] ?? found[4] ?? "").trim();
    state.pos += found[0].length;
    return true;
  });
  block.ruler.before("reference", "footnote", (state, start, end, silent) => {
    const line = (n: number) => state.src.slice(state.bMarks[n]! + state.tShift[n]!, state.eMarks[n]);
    const found = state.sCount[start]! - state.blkIndent < 4 ? definition.exec(line(start)) : null;
    if (!found || silent) return found !== null;
    let next = start + 1;
    while (next < end && !state.isEmpty(next) && state.sCount[next]! >= state.blkIndent && !definition.test(line(next))) next++;
    state.line = next;
    state.push("paragraph_open", "p", 1).map = [start, next];
    state.tokens.at(-1)!.meta = { footnote: found[1] };
    const text = state.push("inline", "", 0);
    text.content = state.getLines(start, next, state.blkIndent, false).trim().slice(found[0].length);
    text.map = [start, next];
    text.children = [];
    state.push("paragraph_close", "p", -1);
    return true;
  }, { alt: ["paragraph", "reference"] });
  // A formula ends where it is closed, or else with its paragraph, so that what has been drawn of a growing text stays.
  block.ruler.before("fence", "math", (state, start, end, silent) => {
    const line = (n: number) => state.src.slice(state.bMarks[n]! + state.tShift[n]!, state.eMarks[n]).trim();
    const close = closings[line(start)];
    if (!close || state.sCount[start]! - state.blkIndent >= 4) return false;
    if (silent) return true;
    let next = start + 1;
    while (next < end && !state.isEmpty(next) && state.sCount[next]! >= state.blkIndent && line(next) !== close) next++;
    const closed = next < end && line(next) === close;
    const lines = Array.from({ length: next - start }, (_, n) => line(start + n));
    state.line = closed ? next + 1 : next;
    const token = state.push("math_block", "", 0);
    token.content = (closed ? lines.slice(1) : lines).join("\n");
    token.map = [start, state.line];
    return true;
  }, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

/** What closes a formula, by what opens it. */
const closings: Record<string, string | undefined> = { $$: "$$", "\\[": "\\]" };

function at(form: RegExp, text: string, position: number): RegExpExecArray | null {
  form.lastIndex = position;
  return form.exec(text);
}
