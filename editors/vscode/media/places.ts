// Makes links of the places that an answer names, such as src/main.go:12, if the files exist in the workspace. The
// extension says whether they do.

/** In prose a place is a path with lines; code may also be a path alone. */
const inProse = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.\w+:\d+(?:-\d+)?/g;
const inCode = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.\w+(?::\d+(?:-\d+)?)?/g;

export class Places {
  /** The URIs of the files at the paths; empty if there is none. */
  private readonly known = new Map<string, string>();
  private readonly waiting = new Set<Text>();
  private asking = new Set<string>();

  /** Ask is called with paths whose files are looked for. The answer is for [found]. */
  constructor(private readonly ask: (paths: string[]) => void) {}

  /** Links the places that a finished block names. */
  link(block: Element): void {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) if (!text.parentElement?.closest("a, pre, figcaption")) this.linkText(text);
  }

  found(found: Record<string, string>): void {
    for (const [path, uri] of Object.entries(found)) this.known.set(path, uri);
    const texts = [...this.waiting];
    this.waiting.clear();
    for (const text of texts) if (text.isConnected) this.linkText(text);
  }

  /** Forgets which files exist. */
  clear(): void {
    this.known.clear();
    this.waiting.clear();
  }

  private linkText(text: Text): void {
    const places = [...text.data.matchAll(text.parentElement?.tagName === "CODE" ? inCode : inProse)];
    const unknown = places.map(([place]) => pathOf(place)).filter((path) => !this.known.has(path));
    if (unknown.length > 0) return this.wait(text, unknown);
    for (const place of places.reverse()) {
      const uri = this.known.get(pathOf(place[0]));
      if (uri) wrap(text, place.index, place[0], uri);
    }
  }

  private wait(text: Text, paths: string[]): void {
    this.waiting.add(text);
    if (this.asking.size === 0) queueMicrotask(() => {
      this.ask([...this.asking]);
      this.asking = new Set();
    });
    for (const path of paths) this.asking.add(path);
  }
}

function pathOf(place: string): string {
  return place.replace(/:.*/, "");
}

/** Makes a link of a place in a text, which keeps what is before it. */
function wrap(text: Text, at: number, place: string, uri: string): void {
  const [, lines] = place.split(":");
  const middle = text.splitText(at);
  middle.splitText(place.length);
  const link = document.createElement("a");
  link.href = lines ? `${uri}#L${lines.replace("-", "-L")}` : uri;
  link.title = place;
  middle.replaceWith(link);
  link.append(middle);
}
