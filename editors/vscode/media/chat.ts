// The chat's webview: draws the messages of the extension, and reports the user's
// actions. Only the draft of a message survives a reload.
import type { FromView, ToView } from "../src/webviewMessages";
import { byId, element } from "./dom";
import { PermissionCards } from "./permissions";
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
const steer = byId<HTMLButtonElement>("steer");
const stop = byId<HTMLButtonElement>("stop");

const cards = new ProposalCards({
  act: (type, proposal) => editor.postMessage({ type, proposal }),
  acceptFile: (proposal, path) => editor.postMessage({ type: "acceptFile", proposal, path }),
  openLine: (uri, line) => editor.postMessage({ type: "openLink", href: `${uri}#L${Math.max(1, line)}` }),
});
const permissions = new PermissionCards((permission, answer) => editor.postMessage({ type: "answer", permission, answer }));
const turns = new Map<string, Turn>();
const running = new Set<string>();
const joining = new Map<string, HTMLElement>();

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
    case "waiting":
      return turns.get(message.turn)?.wait(message.waits);
    case "joining":
      return join(message.message, message.text);
    case "joined":
      return joining.get(message.message)?.remove();
    case "finished":
      return finish(message.turn, message.outcome, message.resumable);
    case "decided":
      return cards.decided(message.proposal, message.state);
    case "focus":
      return input.focus();
  }
}

function clear(): void {
  turns.clear();
  running.clear();
  joining.clear();
  cards.clear();
  permissions.clear();
  log.replaceChildren(welcome);
  drawButtons();
}

function append(node: HTMLElement): void {
  welcome.remove();
  log.append(node);
  log.scrollTop = log.scrollHeight;
}

function begin(id: string): void {
  const turn = new Turn(
    cards,
    permissions,
    (citation) => editor.postMessage({ type: "openCitation", citation }),
    {
      withdraw: () => editor.postMessage({ type: "withdraw", turn: id }),
      resume: () => editor.postMessage({ type: "resume" }),
    },
    keepEnd,
  );
  turns.set(id, turn);
  running.add(id);
  append(turn.node);
  drawButtons();
}

function join(id: string, text: string): void {
  const note = element("section", "question joining", text, element("div", "status", "Joins the answer at its next step"));
  joining.set(id, note);
  append(note);
}

function finish(id: string, outcome: string, resumable: boolean): void {
  running.delete(id);
  keepingEnd(() => turns.get(id)?.finish(outcome, resumable));
  drawButtons();
}

function drawButtons(): void {
  const busy = running.size > 0;
  send.textContent = busy ? "Queue" : "Send";
  steer.hidden = stop.hidden = !busy;
  input.placeholder = busy ? "Ask next" : "Ask ploke";
}

// The log follows its end while it grows, unless the user has scrolled away from it.
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

/** Sends the draft. While an answer is written it is queued, or steers that answer. */
function submit(steers: boolean): void {
  const text = input.value.trim();
  if (!text) return;
  editor.postMessage({ type: "send", text, steer: steers });
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
  submit(false);
});
steer.addEventListener("click", () => submit(true));
stop.addEventListener("click", () => editor.postMessage({ type: "stop" }));
input.addEventListener("input", () => setDraft(input.value));
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit(event.ctrlKey || event.metaKey);
});
// VS Code opens links to the web; links to files open at their lines.
log.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (!link || !/^(file|ploke-proposal):/.test(link.href)) return;
  event.preventDefault();
  event.stopPropagation();
  editor.postMessage({ type: "openLink", href: link.href });
}, { capture: true });
window.addEventListener("message", (event) => handle(event.data as ToView));

setDraft(editor.getState()?.draft ?? "");
editor.postMessage({ type: "ready" });
