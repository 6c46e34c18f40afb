import { inspect } from 'node:util';

/** Holds a secret so that printing, logging or serialising it by accident shows `***`. Only {@link Secret.reveal} gives it out. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}
