// Shows a hunk that waits in the hover of its lines: what goes and what comes.
import { type Disposable, Hover, type HoverProvider, MarkdownString, type Position, type TextDocument, languages } from "vscode";
import { conflictOf, diffOf } from "./hunkText";
import { type Review, type Waiting, linesOf } from "./review";
import { nameOf } from "./reviewTarget";

const linked = ["acceptHunk", "rejectHunk", "show", "resolve"].map((name) => `ploke.view.review.${name}`);

export class ReviewHover implements HoverProvider, Disposable {
  private readonly registration = languages.registerHoverProvider({ scheme: "file" }, this);

  constructor(private readonly review: Review) {}

  provideHover({ uri }: TextDocument, position: Position): Hover | undefined {
    const here = this.review.in(uri).filter(({ range }) => {
      const { first, last } = linesOf(range);
      return first <= position.line && position.line <= last;
    });
    return here.length > 0 ? new Hover(here.map(describe)) : undefined;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function describe(waiting: Waiting): MarkdownString {
  const text = new MarkdownString();
  text.isTrusted = { enabledCommands: linked };
  text.appendMarkdown("**Proposed:** ").appendText(waiting.proposal.title);
  const conflict = conflictOf(waiting);
  if (conflict) text.appendMarkdown("\n\n").appendText(conflict);
  if (!waiting.hunk.rename) text.appendCodeblock(diffOf(waiting), "diff");
  else text.appendMarkdown("\n\n").appendText(waiting.hunk.summary).appendMarkdown("\n\n");
  const argument = encodeURIComponent(JSON.stringify([nameOf(waiting)]));
  const link = (label: string, name: string) => `[${label}](command:ploke.view.review.${name}?${argument})`;
  const links = conflict ? [link("Resolve conflict", "resolve"), link("Reject", "rejectHunk")]
    : [link("Accept", "acceptHunk"), link("Reject", "rejectHunk"), link("Show", "show")];
  return text.appendMarkdown(links.join(" · "));
}
