import { setTimeout as pause } from 'node:timers/promises';
import type { Wish, Write } from '../observed.ts';
import type { Random } from '../random.ts';
import type { Account } from '../world/account.ts';
import { kindOf, tryCall } from './call.ts';
import type { Journal } from './journal.ts';
import { itemBody } from './play-erp.ts';

export interface BulkOptions {
  readonly random: Random;
  /** Nobody else writes items of it. */
  readonly account: Account;
  /** Of the API that the next call goes to. */
  readonly nextApi: () => string;
  readonly journal: Journal;
  readonly externalIds: readonly string[];
  readonly isOver: () => boolean;
}

type Put = Extract<Wish, { kind: 'put' }>;
interface Line {
  readonly externalId: string;
  readonly put: Put;
}

/**
 * A program that sends its catalogue as files, a part of it (merge) or all (snapshot: what the file leaves out goes), and now and
 * then one item by itself right behind, which has to win over the file that is still being worked on.
 */
export async function playBulk(options: BulkOptions): Promise<void> {
  const { random, externalIds, isOver } = options;
  while (!isOver()) {
    const mode = random.chance(0.25) ? 'snapshot' : 'merge';
    const share = mode === 'snapshot' ? 0.7 : 0.3;
    const lines = externalIds
      .filter(() => random.chance(share))
      .map((externalId) => ({ externalId, put: aPut(random) }));
    const key = `bulk-${random.between(1, 2 ** 31)}-${options.journal.bulks.length}`;
    const wasAccepted = lines.length > 0 && (await sendFile(options, { mode, lines, key }));
    if (wasAccepted && random.chance(0.5)) await pushOne(options, random.pick(lines).externalId);
    await pause(random.between(4_000, 10_000));
  }
}

const aPut = (random: Random): Put => ({
  kind: 'put',
  title: `Rad ${random.between(1, 999_999)}`,
  price: random.between(10, 900),
});

interface File {
  readonly mode: 'merge' | 'snapshot';
  readonly lines: readonly Line[];
  readonly key: string;
}

/** Under one key until somebody answers; what is in its way (a snapshot that runs) is waited for. */
async function sendFile(options: BulkOptions, { mode, lines, key }: File): Promise<boolean> {
  const { account, journal, nextApi, isOver } = options;
  const path = `/integration/v1/bulk-syncs?mode=${mode}${mode === 'snapshot' ? '&confirm=true' : ''}`;
  const body = lines.map(({ externalId, put }) => JSON.stringify({ externalId, ...itemBody(put, []) })).join('\n');
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': key };
  const beganAt = Date.now();
  let sawUnknown = false;
  for (;;) {
    const answer = await tryCall({ ...options, url: `${nextApi()}${path}` }, { method: 'POST', body, headers });
    if (answer.status === 202) {
      const { id } = JSON.parse(answer.text) as { id: string };
      journal.writes.push(...writesOf(options, { mode, lines, beganAt }));
      const [writesBefore, count] = [journal.writes.length, lines.length];
      journal.bulks.push({ id, account: account.id, mode, lines: count, writesBefore });
      return true;
    }
    // Nothing was ever asked of it by then, and nothing will be: the key is never used again.
    if (kindOf(answer.status) === 'refused' && answer.status !== 409)
      throw new Error(`a file was refused with ${answer.status ?? 0}: ${answer.text}`);
    sawUnknown ||= kindOf(answer.status) === 'unknown';
    // Refused, and nobody asked before: nothing came of it. Else to its end even when the load is over, because a file of which
    // nobody knows would leave a model that knows nothing.
    if (isOver() && !sawUnknown) return false;
    await pause(500);
  }
}

function writesOf(
  { account, journal, externalIds }: BulkOptions,
  { mode, lines, beganAt }: Omit<File, 'key'> & { beganAt: number },
): Write[] {
  const answered = { outcome: 'accepted', status: 202, tries: 1, beganAt, endedAt: Date.now() } as const;
  const written = lines.map(({ externalId, put }) => ({ account: account.id, externalId, wish: put, ...answered }));
  if (mode === 'merge') return written;
  const named = new Set(lines.map(({ externalId }) => externalId));
  const last = new Map(
    journal.writes.filter((write) => write.account === account.id).map((w) => [w.externalId, w.wish]),
  );
  const left = externalIds.filter((id) => !named.has(id) && last.has(id) && last.get(id)?.kind !== 'delete');
  return [
    ...written,
    ...left.map((externalId): Write => ({ account: account.id, externalId, wish: { kind: 'delete' }, ...answered })),
  ];
}

async function pushOne(options: BulkOptions, externalId: string): Promise<void> {
  const { account, journal, nextApi, random } = options;
  const put = aPut(random);
  const beganAt = Date.now();
  const request = { method: 'PUT', body: JSON.stringify(itemBody(put, [])) };
  let tries = 0;
  let status: number | null;
  do {
    if (tries > 0) await pause(500);
    ({ status } = await tryCall({ ...options, url: `${nextApi()}/integration/v1/items/${externalId}` }, request));
    tries += 1;
  } while (kindOf(status) === 'unknown');
  const outcome = kindOf(status);
  journal.writes.push({
    account: account.id,
    externalId,
    wish: put,
    outcome,
    status,
    tries,
    beganAt,
    endedAt: Date.now(),
  });
  // What a broken connection left behind must not come after the next file.
  if (tries > 1) await pause(15_000);
}
