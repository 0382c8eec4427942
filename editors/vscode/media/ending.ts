// The end of a turn: what it does while it runs, how it ended, and what it used.
import type { ErrorKind } from "../src/protocol";
import type { Account, Ending, Failure, Repair } from "../src/webviewMessages";
import { button, element } from "./dom";

export interface EndingActions {
  resume(): void;
  retry(): void;
  repair(repair: Repair): void;
}

export function working(): (Node | string)[] {
  return [element("span", "spinner"), "Working…"];
}

/** Draws how a turn ended, with what the user can do about it. */
export function drawEnding({ outcome, resumable, failure, account }: Ending, actions: EndingActions): (Node | string)[] {
  const resume = resumable ? [button("Continue", "secondary resume", actions.resume)] : [];
  if (!failure) return [outcome, ...resume];
  return [drawFailure(failure, outcome, resume, account?.model ?? "", actions)];
}

function drawFailure({ text, kind = "internal" }: Failure, outcome: string, resume: HTMLElement[], model: string, actions: EndingActions): HTMLElement {
  const repair = (name: Repair) => button(labels[name], "secondary", () => actions.repair(name));
  const possible = repairs[kind].filter((name) => !(model.startsWith(ofEditor) && ofProviders.includes(name)));
  const retry = retryable.has(kind) ? [button("Retry", "retry", actions.retry)] : [];
  return element("div", "failure",
    element("p", "", element("strong", "", outcome), " ", text),
    element("div", "actions", ...retry, ...resume, ...possible.map(repair)));
}

const labels: Record<Repair, string> = {
  chooseModel: "Choose model…",
  enterKey: "Enter another key…",
  openSettings: "Open settings",
  newConversation: "New conversation",
};

/** What the user can do about each kind of error. */
const repairs: Record<ErrorKind, Repair[]> = {
  auth: ["enterKey", "chooseModel"],
  quota: ["chooseModel"],
  budget: ["openSettings", "chooseModel"],
  busy: ["chooseModel"],
  network: ["openSettings", "chooseModel"],
  model: ["chooseModel", "openSettings"],
  context: ["newConversation", "chooseModel"],
  refused: ["chooseModel"],
  limit: [],
  internal: ["chooseModel"],
};

/** What begins the names of the models of VS Code, which have neither a key nor an address in the settings. */
const ofEditor = "editor/";
const ofProviders: Repair[] = ["enterKey", "openSettings"];

const retryable = new Set<ErrorKind>(["auth", "quota", "budget", "busy", "network", "model", "internal"]);

/** Draws which model answered, and what that took. */
export function drawAccount({ model, usage, context }: Account): string {
  const parts = [model];
  if (usage && usage.in + usage.out > 0) parts.push(`${amount(usage.in)} tokens in, ${amount(usage.out)} out`);
  if (usage?.cost) parts.push(`$${usage.cost.toFixed(usage.cost < 0.1 ? 4 : 2)}`);
  if (context?.window) parts.push(`${Math.max(1, Math.round((100 * context.used) / context.window))} % of the context window`);
  return parts.filter(Boolean).join(" · ");
}

function amount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
}
