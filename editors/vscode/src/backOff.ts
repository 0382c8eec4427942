// How long to wait until a crashed server is started again.

const maxCrashes = 5;
const periodMs = 3 * 60_000;

export class BackOff {
  private crashes: number[] = [];

  /** Notes a crash. Returns the seconds until the next start: 1, 2, 4 and so on. Undefined after too many crashes within three minutes. */
  next(now = Date.now()): number | undefined {
    this.crashes = [...this.crashes.filter((at) => now - at < periodMs), now];
    return this.crashes.length > maxCrashes ? undefined : 2 ** (this.crashes.length - 1);
  }

  /** Forgets the crashes, since a person has started the server. */
  reset(): void {
    this.crashes = [];
  }
}
