// The actions above each hunk that waits in a file.
import { CodeLens, type CodeLensProvider, type Disposable, EventEmitter, Range, type TextDocument, languages } from "vscode";
import { type Review, type Waiting, distinct } from "./review";
import { type HunkName, nameOf } from "./reviewTarget";

export class ReviewLenses implements CodeLensProvider, Disposable {
  private readonly changing = new EventEmitter<void>();
  private readonly subscriptions: Disposable[];

  readonly onDidChangeCodeLenses = this.changing.event;

  constructor(private readonly review: Review) {
    this.subscriptions = [
      this.changing,
      review.onChange(() => this.changing.fire()),
      languages.registerCodeLensProvider({ scheme: "file" }, this),
    ];
  }

  provideCodeLenses({ uri, lineCount }: TextDocument): CodeLens[] {
    return distinct(this.review.in(uri)).flatMap((waiting) => {
      const line = Math.min(waiting.range.start.line, lineCount - 1);
      return actions(waiting).map((command) => new CodeLens(new Range(line, 0, line, 0), command));
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

const icons: Record<string, string> = { acceptHunk: "check", rejectHunk: "close", edit: "edit", show: "diff", resolve: "git-merge" };

function actions(waiting: Waiting): { title: string; command: string; arguments: HunkName[] }[] {
  const action = (title: string, name: string) => (
    { title: `$(${icons[name]})\u00a0${title}`, command: `ploke.view.review.${name}`, arguments: [nameOf(waiting)] });
  const { hunk, file } = waiting;
  if (hunk.conflict) return [action("Resolve conflict", "resolve"), action("Reject", "rejectHunk")];
  const accept = action(hunk.rename ? `Accept: rename to ${file.newPath}` : "Accept", "acceptHunk");
  const reject = action("Reject", "rejectHunk");
  return [accept, reject, hunk.rename || file.op === "delete" ? action("Show", "show") : action("Edit", "edit")];
}
