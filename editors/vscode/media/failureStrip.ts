// A strip above the composer while the failure of the last turn is out of view.
import { button, byId, element } from "./dom";

export class FailureStrip {
  private readonly node = byId("failed");
  private readonly sight: IntersectionObserver;

  constructor(private readonly log: HTMLElement) {
    this.sight = new IntersectionObserver(([entry]) => (this.node.hidden = entry?.isIntersecting ?? true), { root: log });
  }

  /** Shows the failure of the turn that is now the last one, if it has failed. */
  update(): void {
    this.sight.disconnect();
    this.node.hidden = true;
    const failure = this.log.querySelector<HTMLElement>(":scope > .turn:last-child .failure");
    if (!failure) return;
    const retry = failure.querySelector<HTMLElement>(".retry");
    this.node.replaceChildren(
      element("strong", "", failure.querySelector("strong")?.textContent ?? ""),
      ...(retry ? [button("Retry", "link", () => retry.click())] : []),
      button("Show", "link", () => failure.scrollIntoView({ block: "nearest" })),
    );
    this.sight.observe(failure);
  }
}
