import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../core/errors.ts';
import { accountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { createUploadPlaces } from '../../usecases/bulk-syncs/upload-places.ts';

const scopeOf = (id: string) => ({ actingAccountId: accountId(id) }) as Scope;

function places(t: ExecutionContext) {
  const holdPlace = createUploadPlaces();
  return {
    holdPlace,
    /** An upload that goes on; returns how to end it. */
    begin: (id: string) => {
      let end: (outcome: Promise<void>) => void = () => t.fail('it was refused');
      const held = () => new Promise<void>((resolve) => (end = resolve));
      const running = holdPlace(scopeOf(id), held).catch(() => undefined);
      return async (outcome: Promise<void>): Promise<void> => {
        end(outcome);
        await running;
      };
    },
    refused: (id: string) =>
      t.throwsAsync(
        holdPlace(scopeOf(id), () => Promise.resolve()),
        { instanceOf: Refusal },
      ),
  };
}

test('an account has 4 places, an upload that ends gives its place back however it does, and one more is told to come back', async (t) => {
  const { begin, refused, holdPlace } = places(t);
  const ends = [begin('a'), begin('a'), begin('a'), begin('a')];
  t.like(await refused('a'), { code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  await ends[0]?.(Promise.reject(new Error('it broke off')));
  t.is(await holdPlace(scopeOf('a'), () => Promise.resolve('read')), 'read');
});

test('once half of the places are taken an account gets one at a time, so 8 accounts with 4 uploads each leave 12', async (t) => {
  const { begin, refused } = places(t);
  for (let n = 0; n < 16; n += 1) begin(`a${Math.floor(n / 4)}`);
  for (let n = 0; n < 4; n += 1) {
    begin(`b${n}`);
    await refused(`b${n}`);
  }
  for (let n = 0; n < 12; n += 1) begin(`c${n}`);
  t.like(await refused('d'), { code: 'RATE_LIMITED' });
});
