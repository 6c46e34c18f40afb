import test, { type ExecutionContext } from 'ava';
import { createPlaces, Places } from '../../features/accounts/places.ts';
import { withApiWorld } from '../support/api-world.ts';
import { few, limitsOn, type Limited } from '../support/with-limits.ts';
import { until } from '../support/until.ts';
import { aLine, bulkPath, linesOf, upload } from '../bulk-syncs/support/bulk-calls.ts';
import { ofSize } from '../bulk-syncs/support/line-of-size.ts';
import { openUpload, type OpenUpload } from '../bulk-syncs/support/open-upload.ts';

// What a stranger's account can take from others by bulk uploads: places and points.

const world = withApiWorld(test);
const withLimits = limitsOn(world);

const kilobytes = (count: number): number => count * 1024;

/** 4 uploads of each of 8 new accounts, which send one byte. */
async function attack(t: ExecutionContext): Promise<readonly OpenUpload[]> {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => world().account()));
  const opened: OpenUpload[] = [];
  for (const account of accounts.flatMap((one) => [one, one, one, one])) {
    const sending = await openUpload(world(), account, { headers: 'Expect: 100-continue\r\n' });
    t.teardown(() => sending.socket.destroy());
    opened.push(sending);
    await until('its key was let in', () => Promise.resolve(sending.answer().includes('100 Continue')));
    sending.socket.write('{');
  }
  return opened;
}

test.serial('32 uploads of 8 accounts keep no other account out', async (t) => {
  const attackers = await attack(t);
  const refused = () => attackers.filter(({ answer }) => answer().includes('RATE_LIMITED')).length;
  await until('those beyond half of the places are refused', () => Promise.resolve(refused() >= 12));
  const another = await world().account();
  for (let n = 0; n < 8; n += 1) t.is((await upload(world(), another, [aLine(`A${n}`)])).status, 202);
});

test('an upload that sends nothing keeps no other out; with its first byte it has its place', async (t) => {
  const [silent, another] = [await world().account(), await world().account()];
  const rules = { eachMax: 1, allMax: 1, refusal: 'full', retryAfterSeconds: 1 };
  const places = { ...createPlaces(), upload: new Places(rules) };
  const use = async ({ call, url }: Limited): Promise<void> => {
    const sending = await openUpload({ url }, silent, { headers: 'Expect: 100-continue\r\n' });
    t.teardown(() => sending.socket.destroy());
    await until('its key was let in', () => Promise.resolve(sending.answer().includes('100 Continue')));
    const statusOfAnother = async () => (await upload({ ...world(), call }, another, [aLine('A')])).status;
    t.is(await statusOfAnother(), 202);
    sending.socket.write('{');
    await until('it has the only place', async () => (await statusOfAnother()) === 429);
    sending.socket.destroy();
  };
  await withLimits({}, use, { places });
});

test('an upload whose key has no points left waits for them, and no other caller does', async (t) => {
  const account = await world().account();
  const other = await world().account();
  await withLimits({ key: few(20) }, async ({ call, url }) => {
    const sending = await openUpload({ url }, account, { length: 2_000_000 });
    t.teardown(() => sending.socket.destroy());
    sending.socket.write(linesOf(Array.from({ length: 15 }, (_, n) => ofSize(`A${n}`, kilobytes(100)))));
    const own = () => call('GET', `${bulkPath}/x`, { apiKey: account.apiKey });
    await until('its points are used up', async () => (await own()).status === 429);
    t.is((await call('GET', `${bulkPath}/x`, { apiKey: other.apiKey })).status, 404);
    t.is(sending.answer(), '', 'it was not refused');
    sending.socket.destroy();
  });
});
