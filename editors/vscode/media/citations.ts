// The places that an answer cites, each once, below its text.
import type { Citation } from "../src/protocol";
import { button, element } from "./dom";

export class Citations {
  readonly node = element("div", "citations");
  private readonly final = new Set<string>();
  /** Those of the text that may still be replaced. */
  private readonly latest = new Map<string, HTMLElement>();

  constructor(private readonly open: (citation: Citation) => void) {}

  add(citation: Citation): void {
    const { uri, range, canon, cell } = citation;
    const place = `${decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))}${cell ? `, cell ${cell}` : `:${range.start.line + 1}`}`;
    const key = `${uri}#${range.start.line}-${range.end.line}`;
    if (this.final.has(key) || this.latest.has(key)) return;
    const chip = button(place, "citation", () => this.open(citation));
    chip.title = canon ? `${canon}, ${place}` : place;
    this.latest.set(key, chip);
    this.node.append(chip);
  }

  /** Keeps what was added so far, whatever replaces the next text. */
  settle(): void {
    for (const key of this.latest.keys()) this.final.add(key);
    this.latest.clear();
  }

  /** Removes what was added since the last [settle]. */
  retract(): void {
    for (const chip of this.latest.values()) chip.remove();
    this.latest.clear();
  }
}
