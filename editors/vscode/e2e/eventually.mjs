// For what is shown a moment after what was waited for: a layout, a decoration, a text that is drawn in the next frame.
import { setTimeout as delay } from "node:timers/promises";

const TIMEOUT_MS = 20_000;
const PAUSE_MS = 50;

/** Looks again until nothing is asserted any more, and returns what holds returns. */
export async function eventually(holds) {
  for (const deadline = Date.now() + TIMEOUT_MS; ;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}
