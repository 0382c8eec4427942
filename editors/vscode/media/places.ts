// Makes links of what an answer names: files such as src/main.go:12, routes.go or Makefile, and symbols such as Server.Run.
// The server says what the words name; those that name one thing become links.
import type { ChatPlace } from "../src/protocol";

/** In prose, words that look like a path, or like a name in code. */
const inProse =
  /(?<![\w@./:-])(?:(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.\w+(?::\d+(?:-\d+)?)?|[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|(?:Make|Docker|Gem|Rake|Proc|Just)file)(?![\w/])/g;
/** The longest word that the server is asked for, in UTF-16 code units. */
const longest = 120;
/** How many words one message asks for. */
const atOnce = 200;

export class Places {
  /** What the words name; undefined if nothing, or several things. */
  private readonly known = new Map<string, ChatPlace | undefined>();
  private readonly waiting = new Set<Text>();
  private asking = new Set<string>();

  /** Ask is called with words that may name something. The answer is for [found]. */
  constructor(private readonly ask: (names: string[]) => void) {}

  /** Links what a finished block names. */
  link(block: Element): void {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) if (!text.parentElement?.closest("a, pre, figcaption, kbd, math, .math")) this.linkText(text);
  }

  found(names: string[], places: ChatPlace[]): void {
    for (const name of names) {
      const [place, another] = places.filter((each) => each.name === name);
      this.known.set(name, another ? undefined : place);
    }
    const texts = [...this.waiting];
    this.waiting.clear();
    for (const text of texts) if (text.isConnected) this.linkText(text);
  }

  /** Forgets what words name. */
  clear(): void {
    this.known.clear();
    this.waiting.clear();
  }

  private linkText(text: Text): void {
    const named = wordsOf(text);
    const unknown = named.map(([name]) => name).filter((name) => !this.known.has(name));
    if (unknown.length > 0) return this.wait(text, unknown);
    for (const [name, at] of named.reverse()) {
      const place = this.known.get(name);
      if (place) wrap(text, at, name.length, place);
    }
  }

  private wait(text: Text, names: string[]): void {
    this.waiting.add(text);
    if (this.asking.size === 0) queueMicrotask(() => {
      const asked = [...this.asking];
      this.asking = new Set();
      for (let at = 0; at < asked.length; at += atOnce) this.ask(asked.slice(at, at + atOnce));
    });
    for (const name of names) this.asking.add(name);
  }
}

/** Returns words that may name something, and where they are: the whole of inline code, or parts of prose. */
function wordsOf(text: Text): [name: string, at: number][] {
  if (text.parentElement?.tagName === "CODE") {
    const name = text.data.trim();
    return name.length <= longest && !/\s/.test(name) && /\w{2}/.test(name) ? [[name, text.data.indexOf(name)]] : [];
  }
  return [...text.data.matchAll(inProse)].filter(([name]) => name.length <= longest).map((found) => [found[0], found.index]);
}

/** Makes a link of a word in a text, which keeps what is before it. */
function wrap(text: Text, at: number, length: number, { uri, range, signature, label }: ChatPlace): void {
  const middle = text.splitText(at);
  middle.splitText(length);
  const link = document.createElement("a");
  const last = range && range.end.line > range.start.line ? `-L${range.end.line + 1}` : "";
  link.href = range ? `${uri}#L${range.start.line + 1}${last}` : uri;
  link.title = signature ? `${signature}\n${label}` : label;
  middle.replaceWith(link);
  link.append(middle);
}
