// Typesets mathematics as MathML. It is a script of its own, which is loaded with the first formula.
import temml from "temml";

declare global {
  interface Window {
    /** Typesets the TeX source that is the text of an element. What can't be read stays as it is. */
    typeset?: (formula: Element) => void;
  }
}

/** In UTF-16 code units. A longer formula stays as it is. */
const longest = 4000;

window.typeset = (formula) => {
  const source = formula.textContent ?? "";
  if (source.length > longest || formula.firstElementChild) return;
  const drawn = document.createElement("span");
  try {
    temml.render(source, drawn, { displayMode: formula.classList.contains("display"), throwOnError: true, trust: false, maxExpand: 200 });
  } catch {
    return; // it is no TeX, or uses what is not known
  }
  formula.setAttribute("title", source);
  formula.replaceChildren(...drawn.childNodes);
};
