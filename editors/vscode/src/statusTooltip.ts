// The words of the status bar item.
import { MarkdownString } from "vscode";
import type { IndexStatus } from "./protocol";
import { type ServerHealth, problemOf } from "./serverHealth";

export interface StatusFacts {
  health: ServerHealth;
  /** The server speaks another version of the protocol. */
  otherVersion: boolean;
  index: IndexStatus | undefined;
  model: string | undefined;
  /** In US dollars. */
  cost: { today: number; limit?: number } | undefined;
  /** The titles of the running turns. */
  running: string[];
}

/** The facts as lines of text. */
export function describe(facts: StatusFacts): string[] {
  const { model, cost, running } = facts;
  const lines = [serverLine(facts)];
  if (model) lines.push(model === "embedded" ? "embedded model, without a key" : `model ${model}`);
  if (cost) lines.push(`today $${cost.today.toFixed(4)}${cost.limit ? ` of $${cost.limit.toFixed(2)}` : ""}`);
  return [...lines, ...running.map((title) => `running: ${title.split("\n", 1)[0] ?? ""}`)];
}

function serverLine({ health, otherVersion, index }: StatusFacts): string {
  const problem = problemOf(health);
  if (problem) return `${problem.title}: ${problem.text}`;
  if (health.state !== "running") return health.state === "starting" ? "the server starts" : "the server does not run";
  if (otherVersion) return "the server and this extension speak different versions";
  if (!index) return "the index is not known yet";
  if (index.state === "failed") return `indexing failed: ${index.error ?? "no reason was given"}`;
  const progress = index.progress ? ` (${index.progress.percent} %)` : "";
  return `index ${index.state}${progress}, ${index.files} files, ${index.symbols} symbols`;
}

/** The commands that the tooltip may run, with their titles. */
const actions = {
  "ploke.view.chooseModel": "Choose model",
  "ploke.view.addModel": "Add a model",
  "ploke.view.ledger": "Ledger",
  "ploke.view.doctor": "Doctor",
  "ploke.view.showLog": "Log",
  "ploke.view.restartServer": "Restart server",
} as const;

export function tooltip(facts: StatusFacts): MarkdownString {
  const text = new MarkdownString("**ploke**\n\n");
  for (const line of describe(facts)) text.appendMarkdown("- ").appendText(line).appendMarkdown("\n");
  text.appendMarkdown(`\n${Object.entries(actions).map(([command, title]) => `[${title}](command:${command})`).join(" · ")}`);
  text.isTrusted = { enabledCommands: Object.keys(actions) };
  return text;
}
