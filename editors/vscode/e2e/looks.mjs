// How the chat looks: in each theme, in a narrow side bar and at 200 %, and what is wrong with it there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { eventually } from "./eventually.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Themes by the class of the page. */
export const themes = {
  light: "Light Modern", dark: "Dark Modern", "high-contrast": "Dark High Contrast", "high-contrast-light": "Light High Contrast",
};

/** The width and the height of the window, and the width of the side bar. */
export const sizes = { usual: [1400, 900, 300], narrow: [1400, 900, 220], zoomed: [700, 450, 300] }; // 200 % of 1400 × 900

export async function useTheme(workbench, name) {
  await workbench.chooseTheme(themes[name]);
  await workbench.chat.locator(`body.vscode-${name}`).waitFor();
}

export async function useSize({ page }, name) {
  const [width, height, side] = sizes[name];
  const bar = page.locator(".part.sidebar");
  await page.setViewportSize({ width, height });
  await eventually(async () => {
    const { x, y, width: now, height } = await bar.boundingBox();
    if (Math.abs(now - side) < 2) return;
    await page.mouse.move(x + now, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + side, y + height / 2, { steps: 5 });
    await page.mouse.up();
    assert.fail(`the side bar is ${now} pixels wide`);
  });
}

/** What axe finds in the chat: the rules that are broken, and the nodes that break them. */
export async function violations(workbench) {
  const body = workbench.chat.locator("body");
  await workbench.faded(body);
  if (!(await body.evaluate(() => "axe" in window))) await body.evaluate(axe);
  return body.evaluate(async () => {
    // The webview has the background of the sidebar, which axe does not see.
    document.documentElement.style.background = "var(--vscode-sideBar-background)";
    const { violations } = await globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      rules: {
        "label-content-name-mismatch": { enabled: false }, // a completion says a path in one piece, and shows its end first
        "aria-allowed-role": { enabled: false }, // knows no text area with completions, which is a combobox
        "page-has-heading-one": { enabled: false }, // the page is a view of the workbench
      },
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)}: ${failureSummary.split("\n")[1].trim()}`));
  });
}

/** What of the chat is cut, or is below something else. */
export function faults({ chat }) {
  return chat.locator("body").evaluate(findFaults);
}

/** In the webview. What scrolls, or ends with "…", is not cut; what is above the view or below it is not looked at. */
function findFaults(body) {
  const found = [];
  const say = (what, node) => found.push(`${what}: ${node.outerHTML.slice(0, 120)}`);
  const scrolls = (node) => node !== body && (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  const clips = (style) => style.overflowX === "hidden" && style.textOverflow !== "ellipsis" && !style.webkitLineClamp.match(/\d/);
  const abbreviated = (node) => node !== body && (getComputedStyle(node).textOverflow === "ellipsis" || abbreviated(node.parentElement));
  const seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && !node.closest(".unseen");
  for (const node of body.querySelectorAll("main *")) {
    if (!seen(node) || node.closest("svg, math")) continue;
    const box = node.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || scrolls(node.parentElement) || abbreviated(node)) continue;
    if (box.right > innerWidth + 1 || box.left < -1) say("ends outside of the view", node);
    if (node.matches("button, summary, h4, figcaption") && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).textOverflow !== "ellipsis") say("is wider than its box", node);
    if (clips(getComputedStyle(node)) && node.scrollWidth > node.clientWidth + 1 && !node.matches("#log, .question .text")) say("cuts what it has", node);
  }
  const texts = document.createTreeWalker(body.querySelector("main"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !seen(node)) continue;
    range.selectNodeContents(text);
    for (const { left, top, width, height } of range.getClientRects()) {
      const [x, y] = [left + width / 2, top + height / 2];
      if (width < 2 || !within(node, x, y)) continue;
      const above = document.elementFromPoint(x, y);
      if (above && !above.contains(node) && !node.contains(above) && !above.closest("#asked, #completions")) say(`is below ${above.outerHTML.slice(0, 80)}`, node);
    }
  }
  return [...new Set(found)];

  /** Whether a place of the node is in all of the boxes that clip it. */
  function within(node, x, y) {
    for (let outer = node; outer; outer = outer.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(outer);
      const box = outer.getBoundingClientRect();
      if ((overflowX !== "visible" && (x < box.left || x > box.right)) || (overflowY !== "visible" && (y < box.top + 1 || y > box.bottom - 1))) return false;
    }
    return x >= 0 && x < innerWidth && y >= 0 && y < innerHeight;
  }
}
