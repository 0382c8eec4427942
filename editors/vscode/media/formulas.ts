// The formulas of an answer, which a script of its own typesets.
const own = document.currentScript as HTMLScriptElement | null;
const waiting: Element[] = [];

/** Typesets the formulas in a node, once the script is there. */
export function typeset(node: Element): void {
  const formulas = node.matches(".math") ? [node] : [...node.querySelectorAll(".math")];
  if (formulas.length === 0) return;
  waiting.push(...formulas);
  if (window.typeset) work();
  else if (waiting.length === formulas.length) load();
}

function load(): void {
  const script = document.createElement("script");
  script.src = (own?.src ?? "").replace(/chat\.js/, "math.js");
  script.nonce = own?.nonce ?? "";
  script.addEventListener("load", work);
  document.head.append(script);
}

function work(): void {
  for (const formula of waiting.splice(0)) if (formula.isConnected) window.typeset?.(formula);
}
