import type { WatchedFolder } from './watched-folder.ts';

/** Tells which files are complete: those whose size and time have not changed for a while, by the clock of this process. */
export class SettledFiles {
  readonly #folder: WatchedFolder;
  readonly #settleMs: number;
  #seen: ReadonlyMap<string, { readonly state: string; readonly since: number }> = new Map();

  constructor(folder: WatchedFolder, settleMs: number) {
    this.#folder = folder;
    this.#settleMs = settleMs;
  }

  /** One look at `now` (ms): the complete files, oldest first, and those seen for the first time. An empty one is never complete. */
  look(now: number): { readonly complete: readonly string[]; readonly arrived: readonly string[] } {
    const waiting = this.#folder.waiting();
    const before = this.#seen;
    this.#seen = new Map(
      waiting.map(({ name, state }) => {
        const known = before.get(name);
        return [name, known?.state === state ? known : { state, since: now }];
      }),
    );
    const isComplete = (name: string): boolean => now - (this.#seen.get(name)?.since ?? now) >= this.#settleMs;
    return {
      complete: waiting.filter(({ name, size }) => size > 0 && isComplete(name)).map(({ name }) => name),
      arrived: waiting.filter(({ name }) => !before.has(name)).map(({ name }) => name),
    };
  }
}
