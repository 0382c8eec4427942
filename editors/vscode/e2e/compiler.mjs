// What the code means, as VS Code's own TypeScript extension knows it.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { answerBy, answerOf } from "./compilerAnswers.mjs";
import { eventually } from "./eventually.mjs";

const files = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "es2022", "moduleResolution": "bundler" }, "include": ["shapes"] }\n',
  "shapes/shape.ts": `/** A shape has an area. */
export interface Shape {
  area(): number;
}

export class Circle implements Shape {
  constructor(readonly radius: number) {}
  area(): number {
    return 3 * this.radius ** 2;
  }
}

/** Land is no shape. */
export class Land {
  area(unit: string): number {
    return unit.length;
  }
}
`,
  "shapes/sum.ts": `import { Circle, Land, type Shape } from "./shape";

export function sum(all: Shape[]): number {
  return all.map((one) => one.area()).reduce((a, b) => a + b, 0);
}

export const both = sum([new Circle(1)]) + new Circle(2).area() + new Land().area("m");
`,
};

const byTypeScript = /The places are those of TypeScript in \S+ 1\.\d+\./;

export async function run({ open, check, capture, workbench, workspace, userSettings }) {
  const { page } = workbench;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  userSettings({ "typescript.tsdk": join(import.meta.dirname, "../node_modules/typescript/lib") }); // the testbed's own has none
  await open({ indexed: true, chat: true });
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();

  const asked = (question) => answerBy(workbench, byTypeScript, question);

  await check("who calls a method is known by TypeScript, though no file is open", async () => {
    const answer = await asked("who calls Shape.area?");
    await capture("70-compiler");
    assert.match(answer, /sum\.ts:4/);
    assert.match(answer, /sum\.ts:7/);
  });

  await check("unsaved text counts", async () => {
    await workbench.openFile("shapes/sum.ts");
    await line("export const both").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("export const third = (shape: Shape) => shape.area();\n");
    assert.match(await asked("what calls Shape.area?"), /sum\.ts:8/);
  });

  await check("a method is renamed with all that implement and call it, and nothing else", async () => {
    await workbench.newConversation();
    const answer = await answerOf(workbench, "rename Shape.area and its implementers to size");
    assert.match(answer, byTypeScript);
    await workbench.command("ploke: Accept All Proposed Edits");
    await eventually(async () => assert.equal(await line("third").getByText("size").count(), 1));
    await capture("71-compiler-renamed");
    await line("export const both").filter({ hasText: 'new Circle(2).size() + new Land().area("m")' }).waitFor();
  });
}
