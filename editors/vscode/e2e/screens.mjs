// Each screen of the chat in each theme, in a narrow side bar and at 200 %: nothing is cut or covered, and axe finds
// nothing. With SCREENS=all, each in each theme at each size, with what VS Code draws, to look at all pictures.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";
import { faults, sizes, themes, useSize, useTheme, violations } from "./looks.mjs";
import { notebook, notebookEdit } from "./notebook.mjs";

const long = "internal/authentication/certificates/renewal/certificate_renewal_scheduler.go";

const changes = [
  replacing("Greet people more warmly, wherever they are",
    ["greet/greet.go", 'const polite = "Hello"', 'const polite = "Good day"'],
    ["greet/greet.go", "// Greeting returns the sentence that greets a person.\n", "// Greeting returns the sentence that greets a person.\n// It never fails.\n// It is short.\n"],
    ["main.go", "os.Exit(1)", "os.Exit(2)"], [long, "package renewal", "package renewing"]),
  { tool: "create_file", args: { file: "docs/greetings.md", content: "One.\nTwo.\nThree.\n", reason: "Greet people more warmly, wherever they are" } },
  { tool: "delete_file", args: { file: "go.mod", reason: "Greet people more warmly, wherever they are" } },
  { tool: "rename_file", args: { file: "broken.json", to: "fixed.json", reason: "Greet people more warmly, wherever they are" } },
];

/** The screens with all colours, which each run looks at in each theme. */
const coloured = ["answer", "results", "review", "failure", "strip", "queue", "mention-symbols"];

const looked = [
  { tool: "search_text", args: { pattern: "Family" } },
  { tool: "read_file", args: { file: "greet/greet.go", start_line: 4, end_line: 9 } },
  { tool: "read_file", args: { file: long.replace("renewal_", "") } },
  { tool: "run_check", args: { name: "colors" } },
];

export async function run({ open, check, capture, workbench, workspace, model, useModel }) {
  const { page, chat, input, lastTurn } = workbench;
  mkdirSync(join(workspace, long, ".."), { recursive: true });
  writeFileSync(join(workspace, long), "package renewal\n\n// CertificateRenewalScheduler renews certificates.\ntype CertificateRenewalScheduler struct{}\n");
  writeFileSync(join(workspace, "numbers.ipynb"), notebook);
  writeFileSync(join(workspace, "logo.png"), Buffer.from("iVBORw0KGgo=", "base64"));
  await open({ indexed: true, chat: true });

  const screens = [
    ["welcome", () => workbench.newConversation()],
    ["answer", async () => {
      await workbench.openFile("greet/name.go");
      await page.locator(".editor-instance .view-line", { hasText: "type Name struct" }).click();
      await page.keyboard.press("Shift+ArrowDown");
      await workbench.chip("name.go").waitFor();
      await conversation("how are names read?", "h1");
    }],
    ["table", () => conversation("how are names read?", ".table")],
    ["results", () => conversation("look around")],
    ["permission", () => conversation("run a check", ".permission")],
    ["review", async () => {
      await workbench.openFile("greet/greet.go");
      await conversation("greet people more warmly", ".proposal");
      await page.locator(".editor-instance .codelens-decoration a:visible", { hasText: "Accept" }).first().waitFor();
    }],
    ["failure", () => conversation("fail with 429", ".failure")],
    ["strip", async () => {
      await conversation("fail with 429", ".failure");
      await lastTurn.locator(".failure").evaluate((node) => (node.style.marginTop = "2000px"));
      await eventually(async () => {
        await chat.locator("#log").evaluate((log) => log.scrollTo(0, 0)); // which may follow its end
        assert.ok(await chat.locator("#failed").isVisible());
      });
    }],
    ["queue", () => conversation("a question that is answered for a long time")],
    ["edited", async () => {
      await conversation("how are names read?");
      await chat.locator("#log > .question").last().getByRole("button", { name: "Edit this message" }).click();
      await chat.locator("#editing").waitFor();
    }, () => page.keyboard.press("Escape")],
    ...["@", "#Na", "/"].map((typed) => [`mention-${typed.replace("/", "commands").replace("@", "files").replace("#Na", "symbols")}`, async () => {
      await workbench.showChat();
      await workbench.type(typed);
      await chat.getByRole("option").nth(1).waitFor();
    }, () => workbench.clear()]),
    ["problem", async () => {
      await input.pressSequentially("@logo");
      await chat.getByRole("option", { name: "logo.png" }).first().waitFor();
      await input.press("Enter");
      await chat.locator("#problems").waitFor();
    }, async () => {
      await chat.getByRole("button", { name: "Close the message" }).click();
      await workbench.clear();
    }],
    ["find", async () => {
      await page.keyboard.press("Control+f");
      await chat.getByLabel("find in the conversation").fill("name");
      await chat.locator("#find-count", { hasText: "of" }).waitFor();
    }, () => page.keyboard.press("Escape")],
  ];
  /** What VS Code draws, in editors that have webviews of their own. */
  const drawnByCode = [
    ["notebook", async () => {
      await conversation("plot the numbers", ".proposal");
      await lastTurn.locator(".proposal").getByRole("button", { name: "Show diff" }).click();
      await page.locator(".notebookOverlay .diff-editor-container .view-line, .notebook-text-diff-editor .view-line", { hasText: "max" }).first().waitFor();
    }],
    ["ledger", async () => {
      await workbench.command("ploke: Show Ledger");
      await page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame").getByRole("heading", { name: "ploke ledger" }).waitFor();
    }],
  ];

  await check("what is looked at is there", async () => {
    await asked("rich", "how are names read?");
    await asked("failing", "fail with 429");
    model.edits = looked;
    await using("editing");
    await workbench.ask("look around");
    await lastTurn.locator(".permission").getByRole("button", { name: "Allow", exact: true }).click();
    await workbench.turnEnd();
    model.edits = [{ tool: "run_check", args: { name: "hello" } }];
    await using("editing");
    await workbench.ask("run a check");
    await lastTurn.locator(".permission").waitFor();
    model.edits = notebookEdit;
    await asked("editing", "plot the numbers");
    model.edits = changes;
    await asked("editing", "greet people more warmly");
    await using("manual");
    await workbench.ask("a question that is answered for a long time");
    await lastTurn.getByText("Answer to a question").waitFor();
    for (const text of ["and then a second question, which is about the first one", `and what of ${long}?`]) {
      await workbench.type(text);
      await input.press("Enter");
      await chat.locator("#queue li", { hasText: text }).waitFor();
    }
    await workbench.type("but in a few words");
    await input.press("Control+Enter");
    await chat.locator(".question.joining").waitFor();
  });

  const all = Object.keys(themes).flatMap((theme) => Object.keys(sizes).map((size) => [theme, size]));
  const whole = process.env.SCREENS === "all";
  for (const [theme, size] of all.filter(([theme, size]) => whole || theme === "light" || size === "usual")) {
    await useTheme(workbench, theme);
    await useSize(workbench, size);
    for (const [name, show, leave] of screens.filter(([name]) => whole || theme === "light" || coloured.includes(name))) {
      await check(`nothing is cut or covered, and axe finds nothing: ${name}, ${theme}, ${size}`, async () => {
        await show();
        await workbench.still(chat.locator("#log"));
        await workbench.faded(chat.locator("body"));
        await capture(`screen-${name}-${theme}-${size}`);
        const found = [...(await faults(workbench)), ...(await violations(workbench))];
        await leave?.();
        assert.deepEqual(found, []);
      });
    }
    for (const [name, show] of whole ? drawnByCode : []) {
      await show();
      await workbench.faded(page.locator("body"));
      await capture(`screen-${name}-${theme}-${size}`);
      await workbench.closeEditors();
    }
  }
  await useTheme(workbench, "dark");
  await useSize(workbench, "usual");
  model.goOn();

  /** Begins a conversation with a model. */
  async function using(name) {
    await useModel(`scripted/${name}`);
    await workbench.newConversation();
  }

  async function asked(name, question) {
    await using(name);
    await workbench.ask(question);
    await workbench.turnEnd();
  }

  /** Shows a conversation with all that it folds, from an element of its answer on. */
  async function conversation(question, selector) {
    await workbench.openConversation(question);
    await lastTurn.locator("details").evaluateAll((all) => all.forEach((each) => (each.open = true)));
    if (selector) await lastTurn.locator(selector).first().evaluate((node) => node.scrollIntoView());
  }
}
