/** What waits, in a line for each target. Whoever is asked for next comes from the target whose turn was longest ago. */
export class LaneQueue<Entry> {
  /** In the order of their turns. */
  readonly #lines = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  lengthOf(target: string): number {
    return this.#lines.get(target)?.length ?? 0;
  }

  add(target: string, entry: Entry): void {
    const line = this.#lines.get(target);
    if (line === undefined) this.#lines.set(target, [entry]);
    else line.push(entry);
    this.#size += 1;
  }

  /** Those that have a line, the one whose turn it is first. */
  targets(): string[] {
    return [...this.#lines.keys()];
  }

  /** The first of a target's line, which then has its next turn after all others; undefined when nobody is there. */
  takeOne(target: string): Entry | undefined {
    const line = this.#lines.get(target);
    const first = line?.shift();
    if (line === undefined || first === undefined) return undefined;
    this.#size -= 1;
    this.#lines.delete(target);
    if (line.length > 0) this.#lines.set(target, line);
    return first;
  }

  /** All of a target's line. */
  takeAll(target: string): Entry[] {
    const line = this.#lines.get(target) ?? [];
    this.#lines.delete(target);
    this.#size -= line.length;
    return line;
  }
}
