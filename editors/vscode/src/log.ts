// What is drawn of one conversation, in order: drawing all of it again gives the
// same chat.
import type { Client } from "./client";
import type { ToView } from "./messages";
import { type HistoryMessage, type Part, proposalGet } from "./requests";
import { standingOf } from "./standing";

/** A conversation has no id until its first turn begins. */
export interface Conversation {
  id?: string;
  log: ToView[];
}

/** Adds a message; a streamed text stays one entry, so that the log grows with the turns and not with the deltas. */
export function append(log: ToView[], message: ToView): void {
  const last = log.at(-1);
  const joined = last && join(last, message);
  if (joined) log[log.length - 1] = joined;
  else log.push(message);
}

function join(last: ToView, next: ToView): ToView | undefined {
  if (next.type !== "part" || last.type !== "part" || last.turn !== next.turn) return undefined;
  const { part } = next;
  if (part.type !== "message" && part.type !== "thought") return undefined;
  if (last.part.type !== part.type || "replace" in part) return undefined;
  return { ...last, part: { ...last.part, text: (last.part.text ?? "") + (part.text ?? "") } };
}

/** A stored message as it is drawn; turn names it among all that the chat draws. */
export async function drawMessage(client: Client, message: HistoryMessage, turn: string): Promise<ToView[]> {
  if (message.role === "user") return [{ type: "question", text: message.text }];
  const parts: Part[] = (message.toolCalls ?? []).map(({ callId, tool, summary, error }) => ({
    type: "toolCall", callId, tool, state: error ? "failed" : "finished", summary: summary ?? error ?? "",
  }));
  parts.push({ type: "message", text: message.text });
  const decisions: ToView[] = [];
  for (const id of message.proposals ?? []) {
    const details = await client.request(proposalGet, { id });
    const { title, files } = details.proposal;
    parts.push({ type: "proposal", id, title, files: files.map((file) => file.path) });
    decisions.push({ type: "decided", proposal: id, standing: standingOf(details) });
  }
  const drawn = parts.map((part): ToView => ({ type: "part", turn, part }));
  const resumable = message.status === "interrupted";
  return [{ type: "turn", turn }, ...drawn, ...decisions, { type: "finished", turn, outcome: endings[message.status], resumable }];
}

const endings: Record<HistoryMessage["status"], string> = {
  completed: "",
  pending: "Not answered here: another editor has it",
  cancelled: "Stopped",
  failed: "Failed",
  interrupted: "Interrupted",
};
