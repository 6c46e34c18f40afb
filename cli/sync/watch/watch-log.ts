/** What becomes of a file. */
export type WatchEvent = 'seen' | 'sending' | 'warning' | 'accepted' | 'done' | 'cancelled' | 'refused' | 'waiting';

export interface WatchDetails {
  readonly text: string;
  /** Where the file is now, below the folder. */
  readonly movedTo?: string;
  readonly [more: string]: unknown;
}

/** Says what is done with each file: a line for people with the local time, or one JSON value a line. */
export class WatchLog {
  readonly #isJson: boolean;
  readonly #now: () => Date;

  constructor(isJson: boolean, now: () => Date = () => new Date()) {
    this.#isJson = isJson;
    this.#now = now;
  }

  tell(event: WatchEvent, file: string, details: WatchDetails): void {
    const at = this.#now();
    if (this.#isJson) {
      console.log(JSON.stringify({ at: at.toISOString(), event, file, ...details }));
      return;
    }
    const { text, movedTo } = details;
    const moved = movedTo === undefined ? '' : `\n  Moved to ${movedTo}.`;
    console.log(`${at.toLocaleString('sv-SE')} ${file}: ${text}${moved}`);
  }
}
