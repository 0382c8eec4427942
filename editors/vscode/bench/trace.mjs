// Records a trace of Chrome.
const CATEGORIES = ["toplevel", "devtools.timeline", "loading", "blink.user_timing"];

/** Records what the page does until work is done; resolves to the trace's events. Their times are microseconds of the system's monotonic clock. */
export async function record(page, work) {
  const session = await page.context().newCDPSession(page);
  await session.send("Tracing.start", { transferMode: "ReturnAsStream", traceConfig: { includedCategories: CATEGORIES } });
  try {
    await work();
  } finally {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    var { stream } = await complete;
  }
  const { traceEvents } = JSON.parse(await readAll(session, stream));
  await session.detach();
  return traceEvents;
}

async function readAll(session, handle) {
  const pieces = [];
  for (;;) {
    const { data, base64Encoded, eof } = await session.send("IO.read", { handle, size: 1 << 20 });
    pieces.push(base64Encoded ? Buffer.from(data, "base64") : Buffer.from(data));
    if (eof) break;
  }
  await session.send("IO.close", { handle });
  return Buffer.concat(pieces).toString("utf8");
}
