// Keeps the keyboard focus in the chat when what has it disappears, as a pressed button
// does: it goes to the card or the turn around it, or else to the log or the input. It goes to
// no other button, which a second press of the key would press, too.
import { byId } from "./dom";

/** What has the focus, or had it last, and what is around it. */
let path: Element[] = [];

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => (path = pathOf(target as Element)));
  document.addEventListener("focusout", () => requestAnimationFrame(restore)); // of what is hidden
  window.addEventListener("focus", restore);
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true }); // of what is removed
}

function restore(): void {
  const [last] = path;
  if (document.activeElement !== document.body || !document.hasFocus() || !last || last.checkVisibility()) return;
  const around = path.find((node) => node.matches("article, form") && node.checkVisibility());
  if (!(around instanceof HTMLElement)) return byId("log").focus({ preventScroll: true });
  if (around instanceof HTMLFormElement) return byId("input").focus();
  around.tabIndex = -1;
  around.focus({ preventScroll: true });
}

function pathOf(element: Element): Element[] {
  return element.parentElement ? [element, ...pathOf(element.parentElement)] : [element];
}
