// Creates elements. Text becomes text nodes, never markup.
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, className: string, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Creates a message of the log. Screen readers name its speaker. */
export function spoken(by: "You" | "ploke", className: string, ...children: (Node | string)[]): HTMLElement {
  const made = element("article", className, ...children);
  made.setAttribute("aria-label", by);
  return made;
}

/** Makes what scrolls sideways reachable with the keyboard. */
export function scrolling<T extends HTMLElement>(node: T): T {
  node.tabIndex = 0;
  return node;
}

export function button(label: string, className: string, click: () => void): HTMLButtonElement {
  const made = element("button", className, label);
  made.type = "button";
  made.addEventListener("click", click);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found as T;
}
