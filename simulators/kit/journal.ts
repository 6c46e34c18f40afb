import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Append-only record of changes. When `append` has returned, the entry survives a kill of the process. */
export interface Journal {
  append(entry: unknown): void;
  close(): void;
}

export interface JournalOptions {
  /** Absent: nothing is stored. */
  readonly file: string | undefined;
  /** Called with every kept entry, oldest first, before `openJournal` returns. */
  readonly replay: (entry: unknown) => void;
  /** Entries that describe the present state. At the start the file is rewritten with them. */
  readonly snapshot: () => Iterable<unknown>;
}

/**
 * One JSON document per line. Writes are synchronous: a line costs some 10 microseconds, keeps the order of changes,
 * and reaches the operating system before the answer is sent.
 */
export function openJournal(options: JournalOptions): Journal {
  const { file } = options;
  if (file === undefined) return { append: () => undefined, close: () => undefined };
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) for (const entry of readEntries(file)) options.replay(entry);
  compact(file, options.snapshot());
  let descriptor: number | undefined = openSync(file, 'a');
  return {
    append(entry) {
      // A call that a fault delayed may end after the close.
      if (descriptor !== undefined) writeSync(descriptor, toLine(entry));
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

function* readEntries(file: string): Generator {
  const bytes = readFileSync(file);
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    // Text after the last line end was cut off by a crash during a write, and its call was never answered.
    if (end < 0) return;
    yield parseLine(bytes.toString('utf8', start, end), file);
    start = end + 1;
  }
}

function parseLine(line: string, file: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${file} is damaged; delete it to start anew`, { cause });
  }
}

function compact(file: string, entries: Iterable<unknown>): void {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w');
  for (const entry of entries) writeSync(descriptor, toLine(entry));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(next, file);
}

function toLine(entry: unknown): string {
  return `${JSON.stringify(entry)}\n`;
}
