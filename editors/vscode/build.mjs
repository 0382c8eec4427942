// Bundles the extension and its webview into one file each under out/.
import { build } from "esbuild";

const common = { bundle: true, minify: true, logLevel: "warning", legalComments: "eof" };

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
});
await build({
  ...common,
  entryPoints: ["media/chat.ts"],
  outfile: "out/chat.js",
  platform: "browser",
  target: "es2022",
  format: "iife",
});
