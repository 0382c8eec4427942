// The bar above the chat's input: how much waits for a decision, which edit is looked at,
// and what is known of all.
import { type Disposable, EventEmitter, commands } from "vscode";
import type { Review } from "./review";
import type { ReviewPlace } from "./reviewPlace";
import { type ReviewAction, type ReviewSummary, summaryOf } from "./reviewSummary";

export class ReviewBar implements Disposable {
  private readonly drawEmitter = new EventEmitter<ReviewSummary | undefined>();
  private readonly subscriptions: Disposable[];
  private drawn = "";

  /** What the chat shows; undefined if nothing waits. */
  readonly onDraw = this.drawEmitter.event;

  constructor(
    private readonly review: Review,
    private readonly place: ReviewPlace,
  ) {
    this.subscriptions = [this.drawEmitter, place.onMove(() => this.draw())];
  }

  get summary(): ReviewSummary | undefined {
    const { hunks, open } = this.review;
    if (hunks.length === 0) return undefined;
    const at = this.place.at;
    const evidence = summaryOf(open.flatMap(({ evidence = [] }) => evidence));
    return { files: new Set(hunks.map(({ file }) => file.uri)).size, edits: hunks.length, ...(at && { at }), ...(evidence && { evidence }) };
  }

  run(action: ReviewAction): Thenable<unknown> {
    return commands.executeCommand(`ploke.view.review.${action}`);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private draw(): void {
    const { summary } = this;
    const now = JSON.stringify(summary) ?? "";
    if (now !== this.drawn) this.drawEmitter.fire(summary);
    this.drawn = now;
  }
}
