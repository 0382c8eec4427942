// A block of code: a header with its language and actions, and the code. Clicks are
// handled by [act], since a block that is drawn while it grows has no listeners.
import type { FromView } from "../src/webviewMessages";
import { element, scrolling } from "./dom";
import { icon } from "./icons";

/** What a button does with the code. */
type Act = "copyCode" | "insertCode" | "applyCode" | "newFile" | "openDiagram" | "openPlace";

export function codeBlock(code: string, language: string): HTMLElement {
  return element("figure", "code",
    element("figcaption", "",
      element("span", "language", language || "text"),
      tool("openPlace", "Open in the editor"),
      ...(language === "mermaid" ? [tool("openDiagram", "Open as a diagram")] : []),
      tool("newFile", "Put into a new file"),
      tool("applyCode", "Let ploke apply it to the file that it belongs to"),
      tool("insertCode", "Insert at the cursor"),
      tool("copyCode", "Copy"),
    ),
    scrolling(element("pre", "", element("code", "", code))),
  );
}

function tool(act: Act, label: string): HTMLButtonElement {
  const made = element("button", `tool ${act}`, icon(act));
  made.type = "button";
  made.title = label;
  made.setAttribute("aria-label", label);
  return made;
}

/** Lets a block open the place that a link right above it names. */
export function placeCode(block: Element): void {
  const link = block.previousElementSibling?.querySelector<HTMLAnchorElement>(":scope > a[href^='file:']:last-child, :scope > a[href^='ploke-proposal:']:last-child");
  block.classList.toggle("placed", link !== null && link !== undefined);
}

/** Does what the clicked button of a block is for. Reports whether it was one. */
export function act(target: Element, post: (message: FromView) => void): boolean {
  const button = target.closest("button.tool");
  const block = button?.closest("figure.code");
  if (!button || !block) return false;
  const text = block.querySelector("code")?.textContent ?? "";
  const language = block.querySelector(".language")?.textContent ?? "";
  if (button.classList.contains("copyCode")) {
    post({ type: "copyCode", text });
    confirm(button);
  } else if (button.classList.contains("insertCode")) {
    post({ type: "insertCode", text });
  } else if (button.classList.contains("applyCode")) {
    post({ type: "applyCode", text, language });
  } else if (button.classList.contains("newFile")) {
    post({ type: "newFile", text, language });
  } else if (button.classList.contains("openDiagram")) {
    post({ type: "openDiagram", text });
  } else {
    const href = block.previousElementSibling?.querySelector("a:last-of-type")?.getAttribute("href");
    if (href) post({ type: "openLink", href });
  }
  return true;
}

/** Shows for a while that the code was copied. */
function confirm(button: Element): void {
  button.replaceChildren(icon("done"));
  button.setAttribute("aria-label", "Copied");
  setTimeout(() => {
    button.replaceChildren(icon("copyCode"));
    button.setAttribute("aria-label", "Copy");
  }, 1500);
}
