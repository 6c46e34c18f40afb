import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { pino } from 'pino';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { answerOnce, type OnceRequest } from '../../features/accounts/answer-once.ts';
import { closeTestStore, openBeside, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

// Two processes are two connections with nothing else in common.
const encryption = createEncryption([{ id: 'k1', secret: randomBytes(32).toString('base64') }]);
let stores: [StoreConnection, StoreConnection];
test.before(async () => {
  const first = await openTestStore();
  stores = [first, await openBeside(first)];
});
test.after.always(async () => {
  await stores[1].close();
  await closeTestStore(stores[0]);
});

const processes = (passedMs = () => 0) =>
  stores.map((store) => ({
    store,
    encryption,
    logger: pino({ level: 'silent' }),
    newId: randomUUID,
    now: () => present(passedMs()),
  }));

const aScope = (): Scope => {
  const id = accountId(randomUUID());
  return { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
};
const request = (work: OnceRequest['work']): OnceRequest => ({
  key: 'k',
  target: ['post', '/things'],
  fingerprint: () => 'body',
  work,
});
const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : String(error));

// specification: still-running-409-request
test('20 calls at once at two processes: the work is done once, and everybody who is answered hears the same', async (t) => {
  const scope = aScope();
  const done: string[] = [];
  const work: OnceRequest['work'] = ({ reserved }) => {
    done.push(reserved?.id ?? '?');
    return Promise.resolve({ status: 201, body: { id: reserved?.id } });
  };
  const contexts = processes();
  const calls = Array.from({ length: 20 }, async (_, n) => {
    const context = contexts[n % 2];
    if (context === undefined) throw new Error('two processes');
    return answerOnce(context, scope, request(work)).catch(codeOf);
  });
  const outcomes = await Promise.all(calls);
  t.is(done.length, 1);
  for (const outcome of outcomes)
    if (typeof outcome === 'string') t.is(outcome, 'REQUEST_IN_PROGRESS');
    else t.deepEqual(outcome.answer, { status: 201, body: { id: done[0] } });
});

// specification: a-dead-call-is
test('20 calls at once after the first has died: one takes it over, with the id that was reserved', async (t) => {
  const scope = aScope();
  let passedMs = 0;
  const contexts = processes(() => passedMs);
  const ids: string[] = [];
  const attempts: number[] = [];
  const note = ({ reserved }: Scope): void => {
    ids.push(reserved?.id ?? '?');
    attempts.push(reserved?.attempt ?? 0);
  };
  let died = (): void => undefined;
  const atWork = new Promise<void>((resolve) => (died = resolve));
  const [one] = contexts;
  if (one === undefined) throw new Error('two processes');
  const never = new Promise<never>(() => undefined);
  const hanging = request((given) => {
    note(given);
    died();
    return never;
  });
  const lost = answerOnce(one, scope, hanging);
  await Promise.race([lost, atWork]);
  passedMs = 60_001;
  const work: OnceRequest['work'] = (given) => {
    note(given);
    return Promise.resolve({ status: 201 });
  };
  const calls = Array.from({ length: 20 }, async (_, n) => {
    const context = contexts[n % 2];
    if (context === undefined) throw new Error('two processes');
    return answerOnce(context, scope, request(work)).catch(codeOf);
  });
  const outcomes = await Promise.all(calls);
  t.deepEqual(attempts, [1, 2]);
  t.is(new Set(ids).size, 1);
  t.is(outcomes.filter((outcome) => typeof outcome === 'object' && !outcome.isReplayed).length, 1);
});
