/** Where a call is held: it says when it has come there, and goes on when it may. */
export class Barrier {
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #reach = (): void => undefined;
  open = (): void => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async pass(): Promise<void> {
    this.#reach();
    await this.#opened;
  }
}
