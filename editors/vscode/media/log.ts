// The log of the chat: draws the messages of the shown conversation, and follows its
// end while it grows.
import type { FromView, ToView } from "../src/webviewMessages";
import { byId, element } from "./dom";
import { PermissionCards } from "./permissions";
import { ProposalCards } from "./proposals";
import { Turn } from "./turn";

export class Log {
  private readonly node = byId("log");
  private readonly welcome = byId("welcome");
  private readonly cards: ProposalCards;
  private readonly permissions: PermissionCards;
  private readonly turns = new Map<string, Turn>();
  private readonly running = new Set<string>();
  private readonly joining = new Map<string, HTMLElement>();
  /** Whether the end stays in sight. The user may have scrolled away from it. */
  private following = true;

  /** Post sends the user's actions; changed is called when a turn begins or ends. */
  constructor(
    private readonly post: (message: FromView) => void,
    private readonly changed: () => void,
  ) {
    this.cards = new ProposalCards({
      act: (type, proposal) => post({ type, proposal }),
      acceptFile: (proposal, path) => post({ type: "acceptFile", proposal, path }),
      openLine: (uri, line) => post({ type: "openLink", href: `${uri}#L${Math.max(1, line)}` }),
    });
    this.permissions = new PermissionCards((permission, answer) => post({ type: "answer", permission, answer }));
    this.node.addEventListener("scroll", () => {
      this.following = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < 24;
    });
    this.node.addEventListener("click", (event) => this.openLink(event), { capture: true });
  }

  /** Whether an answer is being written. */
  get busy(): boolean {
    return this.running.size > 0;
  }

  draw(message: Exclude<ToView, { type: "focus" | "guide" }>): void {
    switch (message.type) {
      case "clear":
        return this.clear();
      case "question":
        return this.append(element("section", "question", message.text));
      case "turn":
        return this.begin(message.turn);
      case "part":
        return this.keepingEnd(() => this.turns.get(message.turn)?.add(message.part));
      case "waiting":
        return this.turns.get(message.turn)?.wait(message.waits);
      case "joining":
        return this.join(message.message, message.text);
      case "joined":
        return this.joining.get(message.message)?.remove();
      case "finished":
        return this.finish(message.turn, message.outcome, message.resumable);
      case "decided":
        return this.cards.decided(message.proposal, message.state);
    }
  }

  private clear(): void {
    this.turns.clear();
    this.running.clear();
    this.joining.clear();
    this.cards.clear();
    this.permissions.clear();
    this.node.replaceChildren(this.welcome);
    this.changed();
  }

  private append(node: HTMLElement): void {
    this.welcome.remove();
    this.node.append(node);
    this.node.scrollTop = this.node.scrollHeight;
  }

  private begin(id: string): void {
    const turn = new Turn(
      this.cards,
      this.permissions,
      (citation) => this.post({ type: "openCitation", citation }),
      {
        withdraw: () => this.post({ type: "withdraw", turn: id }),
        resume: () => this.post({ type: "resume" }),
      },
      () => this.keepEnd(),
    );
    this.turns.set(id, turn);
    this.running.add(id);
    this.append(turn.node);
    this.changed();
  }

  private join(id: string, text: string): void {
    const note = element("section", "question joining", text, element("div", "status", "Joins the answer at its next step"));
    this.joining.set(id, note);
    this.append(note);
  }

  private finish(id: string, outcome: string, resumable: boolean): void {
    this.running.delete(id);
    this.keepingEnd(() => this.turns.get(id)?.finish(outcome, resumable));
    this.changed();
  }

  private keepEnd(): void {
    if (this.following) this.node.scrollTop = this.node.scrollHeight;
  }

  private keepingEnd(work: () => void): void {
    work();
    this.keepEnd();
  }

  /** VS Code opens links to the web; links to files open at their lines. */
  private openLink(event: MouseEvent): void {
    const link = (event.target as Element).closest("a");
    if (!link || !/^(file|ploke-proposal):/.test(link.href)) return;
    event.preventDefault();
    event.stopPropagation();
    this.post({ type: "openLink", href: link.href });
  }
}
