// Bundles the extension and its webview into files under out/. Formulas have a file of their own.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, minify: true, logLevel: "warning", legalComments: "eof", metafile: true };

const bundles = [
  await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "out/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  }),
  await build({
    ...common,
    entryPoints: ["media/chat.ts", "media/math.ts"],
    outdir: "out",
    platform: "browser",
    target: "es2022",
    format: "iife",
  }),
];

// release/inside lists what is bundled by the marks of the lock file, but for argparse, which only the command line of markdown-it needs.
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const input of bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs))) {
  const name = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
  if (name && (packages[name].dev || name === "node_modules/argparse")) {
    throw new Error(`${name} is bundled, but release/inside does not list it: name it under dependencies in package.json`);
  }
}
