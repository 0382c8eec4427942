// The bar above the input while proposed edits wait. Its parts stay when it is drawn
// again, so that a button that was pressed keeps the focus.
import { type ReviewAction, type ReviewSummary, countsOf } from "../src/reviewSummary";
import { button, byId, element } from "./dom";
import { type IconName, icon } from "./icons";

export class ReviewBar {
  private readonly node = byId("review");
  private readonly counts: HTMLButtonElement;
  private readonly evidence = element("span", "known");
  private readonly at = element("span", "at");

  constructor(run: (action: ReviewAction) => void) {
    const step = (name: IconName & ReviewAction, label: string) => {
      const made = button("", "plain", () => run(name));
      made.append(icon(name));
      made.title = label;
      made.setAttribute("aria-label", label);
      return made;
    };
    const all = (label: string, image: IconName, action: ReviewAction) => {
      const made = button("", "link", () => run(action));
      made.append(icon(image), element("span", "words", label));
      made.title = label;
      made.setAttribute("aria-label", label);
      return made;
    };
    this.counts = button("", "link counts", () => run("list"));
    this.counts.title = "List the proposed edits";
    this.node.append(
      this.counts,
      this.evidence,
      element("span", "walk", step("previous", "Go to Previous Proposed Edit (Shift+Alt+F5)"), this.at, step("next", "Go to Next Proposed Edit (Alt+F5)")),
      element("span", "all", all("Accept All", "done", "acceptAll"), all("Reject All", "reject", "rejectAll")),
    );
  }

  draw(summary: ReviewSummary | undefined): void {
    this.node.hidden = !summary;
    if (!summary) return;
    const { edits, at, evidence } = summary;
    this.counts.textContent = countsOf(summary);
    this.at.textContent = at ? `${at} of ${edits}` : "";
    this.evidence.className = `known ${evidence?.state ?? ""}`;
    this.evidence.textContent = evidence?.text ?? "";
    this.evidence.title = evidence?.details ?? "";
    this.evidence.hidden = !evidence;
  }
}
