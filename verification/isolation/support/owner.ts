import { randomUUID } from 'node:crypto';
import type { CallOptions, Reply, TestAccount } from '../../../test/support/api-world.ts';
import type { Belongings } from './belongings.ts';
import { exampleOf, requestsOf } from './examples.ts';
import type { Inspection, Outcome } from './inspect.ts';
import type { Operation } from './operations.ts';
import { tracesIn } from './traces.ts';

export const ownTitle = 'the account itself';

/**
 * The same calls by the account itself: only where these do something is it worth knowing that others can't. Says of each
 * operation what it was answered, and which of them neither told nor changed anything of the account.
 */
export async function inspectOwn(
  inspection: Inspection,
  owners: readonly Belongings[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly problems: readonly string[] }> {
  const outcomes: Outcome[] = [];
  const problems: string[] = [];
  for (const operation of inOrder(inspection.operations)) {
    const proof = await prove(inspection, operation, owners);
    if (proof.status !== undefined) outcomes.push({ operation, kind: ownTitle, status: proof.status });
    if (!proof.isProved) problems.push(`${operation.id} shows nothing even to its owner: ${proof.said.join('\n  ')}`);
  }
  return { outcomes, problems };
}

/** What ends something comes last. */
const inOrder = (operations: readonly Operation[]): readonly Operation[] => {
  const rank = ({ method, path }: Operation): number =>
    /logout|sessions(\/\{id\})?$|password\/reset$|access\/revoke$/.test(path) && method !== 'GET'
      ? 3
      : method === 'DELETE'
        ? 2
        : method === 'GET'
          ? 0
          : 1;
  return operations.toSorted((one, other) => rank(one) - rank(other));
};

async function prove({ world, watch }: Inspection, operation: Operation, owners: readonly Belongings[]) {
  const said: string[] = [];
  let status: number | undefined;
  for (const belongings of owners) {
    const { account } = belongings;
    const example = exampleOf(operation);
    const ownBody = example.ownBody?.(belongings);
    for (const { method, path, body, headers } of requestsOf(operation, belongings)) {
      const mark = await watch.mark();
      const own = { headers: example.ownHeaders?.(belongings) ?? headers, body: ownBody ?? body };
      const options: CallOptions = { ...credentialOf(operation, account), ...own };
      const reply = await world.call(method, path, options);
      said.push(`${method} ${path}: ${String(reply.status)} ${reply.text.slice(0, 200)}`);
      if (onlyForTestKeys.has(operation.id) && reply.status === 403) return { isProved: true, status: 403, said };
      if (reply.status >= 300) continue;
      status ??= reply.status;
      if (operation.credential === 'none' || tells(reply, belongings)) return { isProved: true, status, said };
      await watch.catchUp();
      const isWritten = watch
        .writesAfter(mark)
        .some(({ before, after }) => `${before ?? ''}${after ?? ''}`.includes(account.id));
      if (isWritten) return { isProved: true, status, said };
    }
  }
  return { isProved: sharedAnswers.has(operation.id) && status !== undefined, status, said };
}

/**
 * Refused to the account's own live key as to everybody else's. With test keys, the own one and a stranger's, they are tried in
 * test/api/sandbox.test.ts, and their effect in test/workflows/sandbox.slow.test.ts.
 */
export const onlyForTestKeys: ReadonlySet<string> = new Set([
  'sellSandboxItem',
  'endSandboxAuction',
  'paySandboxOrder',
]);

/** Answers that are the same for all callers, or hold no identifier. */
const sharedAnswers: ReadonlySet<string> = new Set(['lookUpVehicle', 'getNotices']);

const credentialOf = ({ credential }: Operation, { apiKey, token }: TestAccount): CallOptions =>
  credential === 'none' ? {} : credential === 'session' ? { token } : { apiKey };

const tells = ({ text, headers }: Reply, { account }: Belongings): boolean =>
  text.includes(account.id) || tracesIn(`${text} ${JSON.stringify([...headers])}`).size > 0;

/**
 * The victim sends each request for which `Idempotency-Key` is honoured, so that there are answers to be given again. Says under
 * which key; where nothing was done, none.
 */
export async function useIdempotencyKeys(
  world: Inspection['world'],
  operations: readonly Operation[],
  own: Belongings,
): Promise<Map<string, { readonly index: number; readonly key: string }>> {
  const used = new Map<string, { readonly index: number; readonly key: string }>();
  for (const operation of operations.filter(({ isIdempotent }) => isIdempotent)) {
    for (const [index, { method, path, body, headers }] of requestsOf(operation, own).entries()) {
      const key = `key-${randomUUID()}`;
      const options = { ...credentialOf(operation, own.account), ...(body !== undefined && { body }) };
      const reply = await world.call(method, path, { ...options, headers: { ...headers, 'idempotency-key': key } });
      if (reply.status >= 300) continue;
      used.set(operation.id, { index, key });
      break;
    }
  }
  return used;
}
