// Runs the protocol's conformance tests against a server over HTTP that needs no token:
//
//   node conformance.mjs FOLDER_OF_THE_CLIENT URL RESULTS
//
// The results are folders with what was sent. Fails if a test that conformance.yml does not name fails,
// or if one passes that it names.
import { register } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, url, results] = process.argv.slice(2);

// The package imports fs.globSync, which Node.js 20 lacks, for a command that is not used here.
const load = async (address, context, next) => {
  const module = await next(address, context);
  return address.endsWith("/conformance/dist/index.js") ? { ...module, source: String(module.source).replace("globSync as", "existsSync as") } : module;
};
register(`data:text/javascript,${encodeURIComponent(`export const load = ${load}`)}`);

const expected = fileURLToPath(new URL("conformance.yml", import.meta.url));
process.argv = [process.argv[0], "conformance", "server", "--url", url, "--suite", "all", "--expected-failures", expected, "--output-dir", results];
await import(pathToFileURL(join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")));
