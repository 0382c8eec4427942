// What goes along with a message, as the composer and the conversation show it.
import type { Attachment } from "./protocol";

/** An attachment with a label such as greet.go:5-9. */
export interface Chip extends Attachment {
  label: string;
  folder?: boolean;
}

/** Identifies what a chip attaches. */
export function keyOf({ uri, range }: Attachment): string {
  return range ? `${uri}#${range.start.line}-${range.end.line}` : uri;
}

/** Returns the chip of what was attached to a stored message. */
export function chipOf({ uri, range, cell }: Attachment): Chip {
  const name = decodeURIComponent(uri.split("/").findLast(Boolean) ?? uri);
  const place = cell ? `, cell ${cell}` : range ? `:${linesOf(range.start.line, range.end.line)}` : "";
  return { uri, label: `${name}${place}`, ...(range && { range }) };
}

/** Names lines, which count from 0, for people. */
export function linesOf(first: number, last: number): string {
  return last > first ? `${first + 1}-${last + 1}` : `${first + 1}`;
}
