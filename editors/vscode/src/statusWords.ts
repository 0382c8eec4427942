// The words of the status bar item.
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

/** Whether something needs a person. */
export function isProblem({ health, otherVersion, index }: StatusFacts): boolean {
  return otherVersion || index?.state === "failed" || problemOf(health) !== undefined;
}

export function isBusy({ health, index, running }: StatusFacts): boolean {
  return running.length > 0 || health.state === "starting" || index?.state === "starting" || index?.state === "indexing";
}

/** What stands behind the name: the running turn, how far indexing is, or the model and what the day has cost. */
export function label({ running, index, model, cost }: StatusFacts): string {
  const [title] = running;
  if (title) return `: ${shorten(title)}`;
  if (index?.state === "indexing" && index.progress) return ` ${index.progress.percent} %`;
  const costs = cost && cost.today > 0 ? ` · $${cost.today.toFixed(2)}` : "";
  return `${model && model !== "embedded" ? ` (${shorten(model)})` : ""}${costs}`;
}

/** The facts as lines of text. */
export function describe(facts: StatusFacts): string[] {
  const { model, cost, running } = facts;
  const lines = [serverLine(facts)];
  if (model) lines.push(model === "embedded" ? "embedded model, without a key" : `model ${model}`);
  if (cost && (cost.today > 0 || cost.limit)) lines.push(`today $${cost.today.toFixed(4)}${cost.limit ? ` of $${cost.limit.toFixed(2)}` : ""}`);
  return [...lines, ...running.map((title) => `running: ${shorten(title)}`)];
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

function shorten(title: string): string {
  const line = title.split("\n", 1)[0] ?? "";
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
