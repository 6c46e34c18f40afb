import test from 'ava';
import { Refusal } from '../../core/errors.ts';
import { accountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { createUploadPlaces } from '../../usecases/bulk-syncs/upload-places.ts';

const scopeOf = (id: string) => ({ actingAccountId: accountId(id) }) as Scope;

test('of one account 4 uploads are read at once, 32 in all; one more is told to come back, until one ends however it does', async (t) => {
  const holdPlace = createUploadPlaces();
  const ends: ((end: Promise<void>) => void)[] = [];
  const running: Promise<void>[] = [];
  const begin = (id: string) => {
    const held = () => new Promise<void>((resolve) => ends.push(resolve));
    running.push(holdPlace(scopeOf(id), held).catch(() => undefined));
  };
  const refused = (id: string) =>
    t.throwsAsync(
      holdPlace(scopeOf(id), () => Promise.resolve()),
      { instanceOf: Refusal },
    );
  for (let n = 0; n < 4; n += 1) begin('a');
  t.like(await refused('a'), { code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  for (let n = 4; n < 32; n += 1) begin(`b${Math.floor(n / 4)}`);
  t.like(await refused('c'), { code: 'RATE_LIMITED' });
  ends[0]?.(Promise.reject(new Error('it broke off')));
  await running[0];
  t.is(await holdPlace(scopeOf('a'), () => Promise.resolve('read')), 'read');
});
