// The steps of a turn: thoughts and tool calls, each a line that opens. Steps that follow one another fold into one line
// when something else follows them or the turn ends.
import type { CallTexts, DrawnPart } from "../src/webviewMessages";
import { element, scrolling } from "./dom";
import { GrowingMarkdown } from "./growingMarkdown";
import { drawResult } from "./toolResult";

type ToolCall = Extract<DrawnPart, { type: "toolCall" }>;

/** Steps that follow one another, in a node that one line replaces when they have ended. */
export class Steps {
  readonly node = element("div", "steps");
  private readonly summary = element("summary", "");
  private milliseconds = 0;

  add(step: HTMLElement): void {
    this.node.append(step);
  }

  took(milliseconds: number): void {
    this.milliseconds += milliseconds;
    this.label();
  }

  /** Folds the steps, unless there is only one or the user reads one of them. */
  fold(): void {
    const steps = [...this.node.children];
    if (steps.length < 2 || this.node.querySelector("details[open]")) return;
    this.node.append(element("details", "fold", this.summary, element("div", "folded", ...steps)));
    this.label();
  }

  private label(): void {
    const steps = this.node.querySelectorAll(".tool-call, .thought").length;
    const failed = this.node.querySelectorAll(".tool-call.failed").length;
    this.summary.textContent =
      [`${steps} steps`, ...(failed ? [`${failed} failed`] : []), ...(this.milliseconds ? [duration(this.milliseconds)] : [])].join(" · ");
  }
}

/** What the model thinks, closed until the user opens it. */
export class Thought {
  private readonly summary = element("summary", "", "Thinking…");
  private readonly text = element("div", "text");
  readonly node = element("details", "thought", this.summary, this.text);
  readonly growing: GrowingMarkdown;

  constructor(onEnded: (nodes: Node[]) => void) {
    this.growing = new GrowingMarkdown(this.text, onEnded);
  }

  finish(milliseconds: number | undefined): void {
    this.growing.finish();
    this.summary.textContent = milliseconds === undefined || milliseconds < 1000 ? "Thought" : `Thought for ${duration(milliseconds)}`;
  }
}

/** How much of the end of what a call prints is shown. */
const printedLength = 8192;

/** One tool call. Its arguments and its result are asked for when the user opens it. */
export class ToolLine {
  private readonly summary = element("summary", "");
  private readonly texts = element("div", "texts", element("p", "status", "Loading…"));
  /** What the running call has printed. */
  private readonly printed = element("pre", "printed");
  readonly node = element("details", "tool-call", this.summary, this.texts);

  private title = "";

  /** Ask is called to get the texts of the call; ended with the nodes that draw them. */
  constructor(
    private readonly ask: () => void,
    private readonly onEnded: (nodes: Node[]) => void,
  ) {
    this.node.addEventListener("toggle", () => this.node.open && !this.printed.isConnected && this.ask());
  }

  /** Shows what the running call prints, in the open line, until the call has ended. */
  print(text: string): void {
    if (!this.printed.isConnected) {
      this.texts.replaceWith(this.printed);
      this.node.open = true;
    }
    this.printed.textContent = `${this.printed.textContent}${text}`.slice(-printedLength);
    this.printed.scrollTop = this.printed.scrollHeight;
  }

  draw({ tool, title, state, summary, durationMs }: ToolCall): void {
    this.node.className = `tool-call ${state}`;
    if (state !== "started" && this.printed.isConnected) {
      this.printed.replaceWith(this.texts);
      this.node.open = false;
    }
    this.title = title || this.title || tool.replaceAll("_", " ");
    this.summary.title = summary ? `${this.title}: ${summary}` : this.title;
    this.summary.replaceChildren(
      element("span", "what", summary || `${this.title}…`),
      ...(durationMs ? [element("span", "time", duration(durationMs))] : []),
    );
    if (this.node.open) this.ask();
  }

  drawTexts(texts: CallTexts): void {
    const box = (name: string, text: string) => [element("h5", "", name), scrolling(element("pre", "", element("code", "", text)))];
    const raw = [
      ...box("Arguments", formatted(texts.arguments)),
      ...box("Result", texts.result ? formatted(texts.result) : "The call has no result yet."),
      ...(texts.cut ? [element("p", "status", "The result is longer than what is shown here.")] : []),
    ];
    const drawn = drawResult(texts.result, texts.folders);
    const kept = this.texts.querySelector<HTMLDetailsElement>(".raw")?.open ?? false;
    if (!drawn) return this.texts.replaceChildren(...raw);
    const details = element("details", "raw", element("summary", "", "Raw"), ...raw);
    details.open = kept;
    this.texts.replaceChildren(...drawn, details);
    this.onEnded(drawn);
  }
}

/** JSON with line breaks, also in its strings; other text as it is. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\\(.)/g, (escape, what: string) => unescaped[what] ?? escape);
  } catch {
    return text; // a model may write invalid JSON
  }
}

const unescaped: Record<string, string> = { n: "\n", t: "\t", '"': '"' };

export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
