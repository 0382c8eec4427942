// Puts off work on a node until it comes near the view, so that a long conversation opens
// at once.
const works = new WeakMap<Element, () => void>();

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    works.get(target)?.();
  }
}, { root: document.getElementById("log"), rootMargin: "1000px 0px" });

/** Does the work once, when the node comes near the view. */
export function whenNear(node: Element, work: () => void): void {
  works.set(node, work);
  observer.observe(node);
}
