// An answer that attacks: nothing of it is run, loaded or made a link that could do harm,
// and the content security policy would stop what slipped through.
import assert from "node:assert/strict";

const REMOTE = "https://attacker.invalid";
const IMAGE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ATTACK = `
<script>document.body.dataset.attacked = "script"</script>
<img src="${REMOTE}/tag.png" onerror="document.body.dataset.attacked = 'handler'">
<style>body { background: url(${REMOTE}/style.png) }</style>
<iframe src="${REMOTE}/frame"></iframe> <svg onload="document.body.dataset.attacked = 'svg'"></svg>

![remote](${REMOTE}/image.png) ![embedded](${IMAGE})

[script](javascript:document.body.dataset.attacked='link') [data](data:text/html,<script>1</script>)
[command](command:workbench.action.terminal.new) [editor](vscode://ploke.ploke/run) [unknown](gopher://${REMOTE})
[place](greet/name.go) <javascript:document.body.dataset.attacked='auto'> [web](https://example.invalid/page)

\`\`\`html
<img src="${REMOTE}/code.png" onerror="document.body.dataset.attacked = 'code'">
\`\`\`

| <img src="${REMOTE}/cell.png"> |
|---|
| <b onclick="document.body.dataset.attacked = 'cell'">cell</b> |

The end of the attack.
`;

export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { chat } = workbench;
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");
  const body = chat.locator("body");

  await check("an answer that attacks is drawn as text", async () => {
    model.said = ATTACK;
    await workbench.ask("attack me");
    await workbench.lastTurn.getByText("The end of the attack.").waitFor();
    await workbench.turnEnd();
    const message = workbench.lastTurn.locator(".message");
    assert.equal(await message.locator("script, img, style, iframe, object, embed, [onerror], [onload], [onclick], [style*=url]").count(), 0);
    assert.equal(await body.getAttribute("data-attacked"), null);
    assert.deepEqual([...workbench.blocked], [], "only the policy has stopped a request");
    assert.match(await message.first().innerText(), /<script>document\.body/, "the tags are not shown as text");
    await capture("30-attack");
  });

  await check("links lead to the web and to files only", async () => {
    const links = await chat.locator("a").evaluateAll((found) => found.map((link) => link.href));
    assert.deepEqual(links.filter((href) => !/^(https?|file):/.test(href)), []);
    assert.ok(links.includes("https://example.invalid/page"), "a link to the web is no link");
  });

  await check("the content security policy allows our own files only", async () => {
    const policy = await chat.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    const rules = Object.fromEntries(policy.split(";").map((rule) => {
      const [name, ...sources] = rule.trim().split(/\s+/);
      return [name, sources];
    }));
    assert.deepEqual(Object.keys(rules).sort(), ["default-src", "script-src", "style-src"]);
    assert.deepEqual(rules["default-src"], ["'none'"]);
    assert.match(rules["script-src"].join(" "), /^'nonce-[0-9a-f]{32}'$/);
    assert.deepEqual(rules["style-src"].filter((source) => source !== "'self'" && !/^https:\/\/\S*vscode-cdn\.net$/.test(source)), []);
  });

  await check("the content security policy stops what tries to get around it", async () => {
    const blocked = await body.evaluate(attempt, { remote: REMOTE, image: IMAGE });
    assert.deepEqual(blocked.sort(), ["connect-src", "eval", "frame-src", "img-src", "img-src", "script-src-elem", "style-src-elem", "wasm"]);
    assert.equal(await body.getAttribute("data-attacked"), null);
    assert.deepEqual([...workbench.foreign], []);
  });
}

/** In the webview: tries what the policy forbids, and resolves to the names of what it has stopped. */
async function attempt(body, { remote, image }) {
  const stopped = [];
  const violation = (work) => new Promise((resolve) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(stopped.push(effectiveDirective)), { once: true });
    work();
  });
  const add = (tag, values) => violation(() => body.append(Object.assign(document.createElement(tag), values)));
  await add("img", { src: `${remote}/direct.png` });
  await add("img", { src: image });
  await add("iframe", { src: `${remote}/direct` });
  await add("script", { textContent: "document.body.dataset.attacked = 'direct'" });
  await add("style", { textContent: "body { color: red }" });
  await violation(() => fetch(`${remote}/direct`).catch(() => {}));
  // A timer is not privileged, as what the test itself evaluates is.
  const runs = (work) => new Promise((resolve) => setTimeout(() => Promise.resolve().then(work).then(() => resolve(true), () => resolve(false))));
  if (!(await runs(() => new Function("return 1")()))) stopped.push("eval");
  if (!(await runs(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))))) stopped.push("wasm");
  return stopped;
}
