import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { isOver, LineSourceError, type LineSource } from '../../../client/bulk-syncs.ts';
import type { ItembridgeClient } from '../../../client/create-itembridge-client.ts';
import type { BulkSync } from '../../../client/generated/types.gen.ts';
import { ItembridgeError, ItembridgeUnreachable } from '../../../client/itembridge-error.ts';
import { waitOrAbort } from '../../../client/retries.ts';
import { describeFailure, UsageError } from '../../exit-codes.ts';
import type { Service } from '../../service-options.ts';
import { keepErrors } from '../error-file.ts';
import { FileChanged, leftOutOf, openSyncInput, type ReadingWish, type SyncInput } from '../sync-input.ts';
import { describeBulk, findBulk, reportedOf } from '../sync-report.ts';
import { fingerprintOf } from '../sync-state.ts';
import { StableFiles, type SyncNote, type TakenFile, type WatchedFolder } from './watched-folder.ts';

export interface WatchOptions {
  readonly client: ItembridgeClient;
  readonly service: Service;
  readonly folder: WatchedFolder;
  readonly reading: ReadingWish;
  readonly mode: 'merge' | 'snapshot';
  readonly confirm: boolean;
  /** A CSV empties what it has no column or no text for. */
  readonly replace: boolean;
  /** How long a file must stay unchanged before it counts as complete. */
  readonly settleMs: number;
  /**
   * The pause after a try that says nothing about the file: the service is unreachable, or refuses the key. 30 s by
   * default.
   */
  readonly pauseMs?: number;
  readonly log: Pick<WatchLog, 'tell'>;
  readonly signal: AbortSignal;
}

/** Pause between two looks at the folder, unless `settleMs` is shorter. */
const lookMs = 2_000;
/** The service forgets an Idempotency-Key after 24 hours. One hour less allows for clocks that differ. */
const keyIsGoodForMs = 23 * 3_600_000;

/**
 * Syncs each file of a folder once, one after the other, until `signal` aborts. Files that an earlier run has begun
 * come first. Throws the signal's reason.
 */
export async function watchFolder(options: WatchOptions): Promise<never> {
  const { folder, settleMs, log, signal } = options;
  for (const taken of folder.unfinished()) await syncUntilOver(options, taken);
  const files = new StableFiles(folder, settleMs);
  for (;;) {
    const { complete, arrived } = files.look(performance.now());
    for (const name of arrived) log.tell('seen', name, { text: 'is here; waiting until it is complete' });
    for (const name of complete) {
      const taken = folder.take(name, new Date());
      if (taken !== undefined) await syncUntilOver(options, taken);
    }
    await waitOrAbort(Math.min(lookMs, settleMs), signal);
  }
}

/** Repeats for as long as the failure is not the file's own. Later files wait, because their order counts. */
async function syncUntilOver(options: WatchOptions, taken: TakenFile): Promise<void> {
  const { log, signal, pauseMs = 30_000 } = options;
  for (let last = ''; ;) {
    try {
      await syncOnce(options, taken);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const text = describeFailure(error).text ?? String(error);
      if (isOfFile(error)) {
        refuse(options, taken, text);
        return;
      }
      if (text !== last)
        log.tell('waiting', taken.name, { text: `${text}\n  Trying again every ${pauseMs / 1_000} s.` });
      last = text;
      await waitOrAbort(pauseMs, signal);
    }
  }
}

/** Whether the same file would be refused again. A conflict passes, unless the snapshot needs a confirmation. */
function isOfFile(error: unknown): boolean {
  if (error instanceof UsageError) return !(error instanceof FileChanged);
  if (error instanceof ItembridgeUnreachable || !(error instanceof ItembridgeError)) return false;
  if (error.status === 409) return error.details.some(({ field }) => field === 'confirm');
  return [400, 413, 415, 422].includes(error.status);
}

function refuse({ folder, log }: WatchOptions, taken: TakenFile, text: string): void {
  writeFileSync(folder.pathOf('failed', `${taken.stamped}.txt`), `${text}\n`);
  log.tell('refused', taken.name, { text, movedTo: folder.finish(taken, 'failed') });
}

async function syncOnce(options: WatchOptions, taken: TakenFile): Promise<void> {
  const { folder, service, client, signal, log } = options;
  const note = folder.noteOf(taken, freshNote(service));
  requireSame(note, service);
  const input = await openSyncInput(taken.path, options.reading, signal);
  if (note.bulkId === null) for (const text of input.warnings) log.tell('warning', taken.name, { text });
  const id = note.bulkId ?? (await upload(options, { taken, note, input }));
  if ((await findBulk(client, id, signal)) === undefined) {
    // Accepted more than 30 days ago, so the service has forgotten it.
    log.tell('done', taken.name, { text: `${id} is not kept any more`, movedTo: folder.finish(taken, 'done') });
    return;
  }
  await finish(options, taken, { input, bulk: await client.bulkSyncs.wait(id, { signal }) });
}

const freshNote = ({ url, apiKey, account }: Service): SyncNote => ({
  server: url,
  key: fingerprintOf(apiKey),
  account: account ?? null,
  idempotencyKey: randomUUID(),
  sentAt: null,
  bulkId: null,
});

/** A sync that was begun with another service, key or account can only be followed there. */
function requireSame({ server, key, account }: SyncNote, { url, apiKey, account: own }: Service): void {
  if (server === url && key === fingerprintOf(apiKey) && account === (own ?? null)) return;
  throw new Error(
    `It was begun at ${server} with another key or account: watch the folder with those until it is over.`,
  );
}

interface Upload {
  readonly taken: TakenFile;
  readonly note: SyncNote;
  readonly input: SyncInput;
}

/** Uses the key of the note, so that an upload whose answer was lost is not done twice. */
async function upload(options: WatchOptions, { taken, note, input }: Upload): Promise<string> {
  const { folder, client, mode, confirm, replace, signal, log } = options;
  if (note.sentAt !== null && Date.now() - Date.parse(note.sentAt) > keyIsGoodForMs)
    throw new UsageError(
      `It was sent at ${note.sentAt}, and the answer is missing: nobody knows whether it was taken. Look at the items, and put the file back into the folder to send it again.`,
    );
  const sent = { ...note, sentAt: note.sentAt ?? new Date().toISOString() };
  folder.keepNote(taken, sent);
  log.tell('sending', taken.name, { text: `is complete: sending ${input.bytes} bytes` });
  const { idempotencyKey } = note;
  const { lines, wasWhole } = counted(input.lines);
  const { id } = await client.bulkSyncs
    .upload(lines, { mode, confirm, leftOut: leftOutOf(input, replace), idempotencyKey, signal })
    .catch((error: unknown) => {
      // A refused or incomplete upload was not accepted, so it may be sent for as long as it takes.
      if (!wasWhole() || isRefusal(error)) folder.keepNote(taken, note);
      throw error instanceof LineSourceError ? (error.cause ?? error) : error;
    });
  folder.keepNote(taken, { ...sent, bulkId: id });
  for (const text of input.noted()) log.tell('warning', taken.name, { text });
  log.tell('accepted', taken.name, { text: `was accepted as ${id}`, bulkId: id });
  return id;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ItembridgeError && error.status < 500 && error.code !== 'REQUEST_IN_PROGRESS';

function counted(source: LineSource): { readonly lines: LineSource; readonly wasWhole: () => boolean } {
  let isWhole = false;
  const lines: LineSource = async function* () {
    yield* source();
    isWhole = true;
  };
  return { lines, wasWhole: () => isWhole };
}

async function finish(
  { folder, client, log }: WatchOptions,
  taken: TakenFile,
  { input, bulk }: { readonly input: SyncInput; readonly bulk: BulkSync },
): Promise<void> {
  const extension = input.file.format === 'csv' ? 'csv' : 'ndjson';
  // Warnings alone, such as a rounded price every night, must not look like a failure.
  const errors = folder.pathOf(bulk.failed > 0 ? 'failed' : 'done', `${taken.stamped}.errors.${extension}`);
  const hasReports = reportedOf(bulk) > 0;
  if (hasReports) await keepErrors(errors, client.bulkSyncs.errors(bulk.id), input);
  const text = describeBulk(bulk, { json: false, errors: hasReports ? errors : undefined, shown: [] });
  const outcome = isOver(bulk) && bulk.state === 'completed' ? 'done' : 'failed';
  const movedTo = folder.finish(taken, outcome);
  log.tell(outcome === 'done' ? 'done' : 'cancelled', taken.name, {
    text,
    movedTo,
    bulk,
    ...(hasReports && { errorsFile: errors }),
  });
}

export type WatchEvent = 'seen' | 'sending' | 'warning' | 'accepted' | 'done' | 'cancelled' | 'refused' | 'waiting';

export interface WatchDetails {
  readonly text: string;
  /** Where the file is now, below the folder. */
  readonly movedTo?: string;
  readonly [more: string]: unknown;
}

/** Reports what is done with each file: a line for people with the local time, or one JSON value a line. */
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
