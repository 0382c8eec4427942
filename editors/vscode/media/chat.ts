// The chat's webview: draws what the extension says, and tells it what the user
// does. It keeps only the draft of a message over a reload.
import type { FromView, ToView } from "../src/messages";
import { byId, element } from "./dom";
import { ProposalCards } from "./proposals";
import { Turn } from "./turn";

declare function acquireVsCodeApi(): {
  postMessage(message: FromView): void;
  getState(): { draft: string } | undefined;
  setState(state: { draft: string }): void;
};

const editor = acquireVsCodeApi();
const log = byId("log");
const welcome = byId("welcome");
const form = byId<HTMLFormElement>("form");
const input = byId<HTMLTextAreaElement>("input");
const send = byId<HTMLButtonElement>("send");
const stop = byId<HTMLButtonElement>("stop");

const cards = new ProposalCards((type, proposal) => editor.postMessage({ type, proposal }));
const turns = new Map<string, Turn>();
const running = new Set<string>();

function handle(message: ToView): void {
  switch (message.type) {
    case "clear":
      return clear();
    case "question":
      return append(element("section", "question", message.text));
    case "turn":
      return begin(message.turn);
    case "part":
      return keepingEnd(() => turns.get(message.turn)?.add(message.part));
    case "finished":
      return finish(message.turn, message.outcome);
    case "decided":
      return cards.decided(message.proposal, message.status);
    case "focus":
      return input.focus();
  }
}

function clear(): void {
  turns.clear();
  running.clear();
  cards.clear();
  log.replaceChildren(welcome);
  drawButtons();
}

function append(node: HTMLElement): void {
  welcome.remove();
  log.append(node);
  log.scrollTop = log.scrollHeight;
}

function begin(id: string): void {
  const turn = new Turn(cards, (citation) => editor.postMessage({ type: "openCitation", citation }), keepEnd);
  turns.set(id, turn);
  running.add(id);
  append(turn.node);
  drawButtons();
}

function finish(id: string, outcome: string): void {
  running.delete(id);
  keepingEnd(() => turns.get(id)?.finish(outcome));
  drawButtons();
}

function drawButtons(): void {
  send.hidden = running.size > 0;
  stop.hidden = running.size === 0;
}

// The log follows its growing end, unless the user has scrolled away from it.
let following = true;
log.addEventListener("scroll", () => {
  following = log.scrollHeight - log.scrollTop - log.clientHeight < 24;
});

function keepEnd(): void {
  if (following) log.scrollTop = log.scrollHeight;
}

function keepingEnd(work: () => void): void {
  work();
  keepEnd();
}

function submit(): void {
  const text = input.value.trim();
  if (!text || running.size > 0) return;
  editor.postMessage({ type: "send", text });
  setDraft("");
}

function setDraft(draft: string): void {
  if (input.value !== draft) input.value = draft;
  editor.setState({ draft });
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight}px`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
stop.addEventListener("click", () => editor.postMessage({ type: "stop" }));
input.addEventListener("input", () => setDraft(input.value));
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
// The editor itself opens links to the web; files are opened at their place.
log.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (!link?.href.startsWith("file:")) return;
  event.preventDefault();
  event.stopPropagation();
  editor.postMessage({ type: "openLink", href: link.href });
}, { capture: true });
window.addEventListener("message", (event) => handle(event.data as ToView));

setDraft(editor.getState()?.draft ?? "");
editor.postMessage({ type: "ready" });
