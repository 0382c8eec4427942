// Draws what is known of a proposal besides its changes: a line for each source, which opens the problems that it has
// found and what it has printed.
import type { Evidence, EvidenceProblem } from "../src/protocol";
import { button, element, scrolling } from "./dom";

/** Opens the place of a problem. */
export type OpenProblem = (problem: EvidenceProblem) => void;

/** Draws the evidence in a list. What the user has opened stays open. */
export function drawEvidence(list: Element, evidence: readonly Evidence[], open: OpenProblem): void {
  const opened = new Set([...list.querySelectorAll<HTMLElement>("details[open]")].map(({ dataset }) => dataset.source));
  list.replaceChildren(...evidence.map((one) => {
    const details = body(one, open);
    const line = [element("span", "source", one.source), element("span", "what", one.summary)];
    if (details.length === 0) return element("li", one.state, element("p", "line", ...line));
    const made = element("details", "", element("summary", "line", ...line), ...details);
    made.dataset.source = one.source;
    made.open = opened.has(one.source);
    return element("li", one.state, made);
  }));
}

function body({ problems = [], omitted, command, output }: Evidence, open: OpenProblem): HTMLElement[] {
  return [
    ...(problems.length ? [element("ul", "problems", ...problems.map((one) => problem(one, open)))] : []),
    ...(omitted ? [element("p", "more", `${omitted} more`)] : []),
    ...(output ? [scrolling(element("pre", "output", `${command ? `$ ${command}\n` : ""}${output}`))] : []),
  ];
}

function problem(found: EvidenceProblem, open: OpenProblem): HTMLElement {
  const { path, line, message, warning } = found;
  const name = line ? `${path}:${line}` : path;
  return element("li", warning ? "warning" : "", ...(name ? [button(name, "citation", () => open(found)), " "] : []), message);
}
