import { randomUUID } from 'node:crypto';
import { isOver, LineSourceError, type LineSource } from '../../client/bulk-syncs.ts';
import type { ItembridgeClient } from '../../client/create-itembridge-client.ts';
import type { BulkSync, BulkSyncCheck } from '../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import { exitCodes, Interrupted, UsageError } from '../exit-codes.ts';
import type { Service } from '../service-options.ts';
import { keepErrors, requireWritable } from './error-file.ts';
import { describeAccepted, describeBulk, describeCheck, describeFirst, findBulk, reportedOf } from './sync-report.ts';
import type { Progress } from '../progress.ts';
import { leftOutOf, type SyncInput } from './sync-input.ts';
import { fingerprintOf, type SyncIdentity, type SyncState, type SyncStates } from './sync-state.ts';

export interface SyncWish {
  readonly snapshot: boolean;
  readonly confirm: boolean;
  /** A CSV empties what it has no column or no text for. */
  readonly replace: boolean;
  readonly dryRun: boolean;
  readonly detach: boolean;
  readonly errors?: string | undefined;
  readonly json: boolean;
}

export interface SyncRun {
  readonly client: ItembridgeClient;
  readonly service: Service;
  readonly input: SyncInput;
  readonly wish: SyncWish;
  readonly states: SyncStates;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The service forgets an Idempotency-Key after 24 hours. One hour less allows for clocks that differ. */
const keyIsGoodForMs = 23 * 3_600_000;

/** `itembridge sync FILE`. Resolves with the exit code; throws {@link Interrupted}, or what the client throws. */
export async function runSync(run: SyncRun): Promise<number> {
  requireWritable(run.wish.errors, run.input);
  for (const warning of run.input.warnings) run.progress.say(warning);
  if (run.wish.dryRun) return runCheck(run);
  const id = await findOrUpload(run);
  if (run.wish.detach) {
    run.progress.end();
    console.log(describeAccepted(id, run.wish.json));
    return exitCodes.ok;
  }
  const bulk = await follow(run, id);
  await report(run, bulk);
  run.states.forget(identityOf(run));
  if (bulk.state === 'cancelled') return exitCodes.unfinished;
  return bulk.failed > 0 ? exitCodes.someFailed : exitCodes.ok;
}

/** What makes two syncs the same: server, key, account, file and wish. */
export const identityOf = ({ service, input, wish }: Pick<SyncRun, 'service' | 'input' | 'wish'>): SyncIdentity => ({
  server: service.url,
  apiKey: service.apiKey,
  account: service.account,
  digest: input.digest,
  mode: modeOf(wish),
  confirm: wish.confirm,
  leftOut: leftOutOf(input, wish.replace),
});

const modeOf = ({ snapshot }: SyncWish): 'merge' | 'snapshot' => (snapshot ? 'snapshot' : 'merge');

async function runCheck({ client, input, wish, progress, signal }: SyncRun): Promise<number> {
  const { lines } = watchedLines(input, progress);
  const leftOut = leftOutOf(input, wish.replace);
  const options = { mode: modeOf(wish), leftOut, confirm: wish.confirm, signal };
  const check: BulkSyncCheck = await client.bulkSyncs.check(lines, options).catch(unwrap);
  for (const text of input.noted()) progress.say(text);
  progress.end();
  if (wish.errors !== undefined) await keepErrors(wish.errors, check.errors, input);
  const shown = wish.errors !== undefined || wish.json ? [] : await describeFirst(check.errors, input);
  console.log(describeCheck({ ...check, leftOut }, { ...wish, shown }));
  return check.failed > 0 ? exitCodes.someFailed : exitCodes.ok;
}

/** Continues the sync of an earlier equal command where that has the same result as a new upload; otherwise uploads. */
async function findOrUpload(run: SyncRun): Promise<string> {
  const { states, client, wish, progress, signal } = run;
  const known = states.find(identityOf(run));
  // Another sync has changed items since, so this file must be sent again to set them.
  if (known === undefined || known.isSuperseded) return upload(run, undefined);
  const { bulkId, idempotencyKey, startedAt } = known;
  if (bulkId === undefined) return upload(run, known);
  const bulk = await findBulk(client, bulkId, signal);
  if (bulk === undefined || (isOver(bulk) && !isUnseen(bulk, known, wish))) return upload(run, undefined);
  progress.say(`Going on with ${bulkId}, begun ${startedAt}.`);
  states.update(identityOf(run), { idempotencyKey, isDetached: wish.detach });
  return bulkId;
}

/** It ended after this command stopped watching, so the repeated command should show its outcome. */
const isUnseen = ({ state }: BulkSync, known: SyncState, { detach }: SyncWish): boolean =>
  state === 'completed' && !known.isDetached && !detach && isRecent(known);

/** @param known an upload that was sent but not answered */
async function upload(run: SyncRun, known: SyncState | undefined): Promise<string> {
  const { client, service, input, wish, states, progress, signal } = run;
  const identity = identityOf(run);
  const isGood = known !== undefined && isRecent(known);
  const state: SyncState = isGood
    ? known
    : {
        server: service.url,
        key: fingerprintOf(service.apiKey),
        account: service.account,
        file: input.name,
        startedAt: new Date().toISOString(),
        idempotencyKey: randomUUID(),
        isDetached: wish.detach,
        isSuperseded: false,
      };
  states.begin(identity, { ...state, isDetached: wish.detach });
  const sent = watchedLines(input, progress);
  try {
    const { idempotencyKey } = state;
    const { mode, confirm, leftOut } = identity;
    const options = { mode, confirm, leftOut, idempotencyKey, signal };
    const { id } = await client.bulkSyncs.upload(sent.lines, options).catch(unwrap);
    states.update(identity, { idempotencyKey, bulkId: id });
    for (const text of input.noted()) progress.say(text);
    return id;
  } catch (error) {
    // An older state may belong to an accepted upload, and only an answer can tell.
    const mayBeTaken = sent.wasComplete() || isGood;
    if (isFinal(error) || (!mayBeTaken && !(error instanceof ItembridgeError))) states.forget(identity);
    progress.end();
    if (signal.aborted) throw new Interrupted(mayBeTaken ? answerIsMissing : nothingTaken, { cause: error });
    if (mayBeTaken && !isFinal(error)) progress.say(answerIsMissing);
    throw error;
  }
}

const nothingTaken = 'Stopped during the upload: nothing was taken.';
const answerIsMissing = 'The upload may have been taken, the answer is missing: the same command again asks for it.';

/** A final refusal: nothing was accepted, and a retry would be refused again. */
const isFinal = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof ItembridgeError &&
    error.status < 500 &&
    error.status !== 429 &&
    error.code !== 'REQUEST_IN_PROGRESS');

const isRecent = ({ startedAt }: SyncState): boolean => Date.now() - Date.parse(startedAt) < keyIsGoodForMs;

async function follow({ client, wish, progress, signal }: SyncRun, id: string): Promise<BulkSync> {
  try {
    return await client.bulkSyncs.wait(id, {
      signal,
      pollMs: wish.json ? 1_000 : 500,
      onProgress: (bulk) => progress.update('apply', doneOf(bulk), bulk.total),
    });
  } catch (error) {
    progress.end();
    const advice = `It goes on at the service as ${id}: the same command again watches it, "itembridge sync cancel ${id}" stops it.`;
    if (signal.aborted) throw new Interrupted(advice, { cause: error });
    progress.say(advice);
    throw error;
  }
}

const doneOf = ({ created, updated, unchanged, failed }: BulkSync): number => created + updated + unchanged + failed;

async function report({ client, input, wish, progress }: SyncRun, bulk: BulkSync): Promise<void> {
  progress.end();
  const isAllSaid = wish.errors !== undefined || wish.json || reportedOf(bulk) === 0;
  if (wish.errors !== undefined) await keepErrors(wish.errors, client.bulkSyncs.errors(bulk.id), input);
  const shown = isAllSaid ? [] : await describeFirst(client.bulkSyncs.errors(bulk.id), input);
  console.log(describeBulk(bulk, { ...wish, shown }));
}

/** The file's lines with progress by bytes, and whether all of them were read. */
function watchedLines(input: SyncInput, progress: Progress): { lines: LineSource; wasComplete: () => boolean } {
  let isComplete = false;
  const lines: LineSource = async function* () {
    let done = 0;
    progress.update('upload', 0, input.bytes);
    for await (const chunk of input.lines()) {
      yield chunk;
      // JSON made of CSV has more bytes than the file.
      done = Math.min(done + chunk.length, input.bytes);
      progress.update('upload', done, input.bytes);
    }
    progress.update('upload', input.bytes, input.bytes);
    isComplete = true;
  };
  return { lines, wasComplete: () => isComplete };
}

function unwrap(error: unknown): never {
  throw error instanceof LineSourceError ? (error.cause ?? error) : error;
}
