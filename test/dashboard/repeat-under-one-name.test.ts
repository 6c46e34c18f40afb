import test from 'ava';
import { ItembridgeError, ItembridgeUnreachable } from '../../client/itembridge-error.ts';
import { repeatUnderOneName } from '../../web/dashboard/src/api/repeat-under-one-name.ts';

/** The names under which calls go whose outcomes are these, each a call with `body`. */
async function namesOf(calls: readonly { readonly body: string; readonly outcome: unknown }[]) {
  const names: string[] = [];
  let count = 0;
  const left = [...calls];
  const { call } = repeatUnderOneName(
    async (_body: string, headers) => {
      names.push(headers['Idempotency-Key']);
      const outcome = left.shift()?.outcome;
      if (outcome instanceof Error) throw outcome;
      return Promise.resolve(outcome);
    },
    () => `name ${(count += 1)}`,
  );
  for (const { body } of calls) await call(body).catch(() => undefined);
  return names;
}
const answered = (status: number) => new ItembridgeError(`answered ${status}`, { status });

for (const outcome of [new ItembridgeUnreachable('gone'), ...[408, 409, 429, 500, 502, 503].map(answered)])
  test(`nobody knows what became of it (${outcome.message}): the same goes under the same name until it went well`, async (t) => {
    const body = 'a';
    const names = await namesOf([
      { body, outcome },
      { body, outcome },
      { body, outcome: 'done' },
      { body, outcome: 'done' },
    ]);
    t.deepEqual(names, ['name 1', 'name 1', 'name 1', 'name 2']);
  });

for (const status of [400, 401, 403, 404, 422])
  test(`after a refusal (${status}) the name has done its service`, async (t) => {
    const names = await namesOf([
      { body: 'a', outcome: answered(status) },
      { body: 'a', outcome: 'done' },
    ]);
    t.deepEqual(names, ['name 1', 'name 2']);
  });

test('something else goes under a name of its own', async (t) => {
  const outcome = answered(503);
  t.deepEqual(
    await namesOf([
      { body: 'a', outcome },
      { body: 'b', outcome },
      { body: 'b', outcome: 'done' },
    ]),
    ['name 1', 'name 2', 'name 2'],
  );
});
