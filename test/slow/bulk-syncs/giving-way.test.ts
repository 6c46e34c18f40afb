import test from 'ava';
import type { ChunkDependencies } from '../../../usecases/bulk-syncs/write-chunk.ts';
import { createThrottle, type Throttle } from '../../../platform/concurrency/throttle.ts';
import { withApiWorld, type TestAccount } from '../../support/api-world.ts';
import { aLine, bulkPath, upload } from '../../bulk-syncs/support/bulk-calls.ts';
import { chunkDependencies, playBulk } from '../../bulk-syncs/support/play-bulk.ts';

const world = withApiWorld(test);

/** A process in which somebody waits for a single write; `begun` is called before each piece. */
function asked(begun: (pieces: number) => void = () => undefined): ChunkDependencies & { pieces: () => number } {
  const throttle = createThrottle({ rest: () => Promise.resolve() });
  throttle.notice();
  let pieces = 0;
  const counting: Throttle = {
    ...throttle,
    pass: (work) =>
      throttle.pass(async () => {
        pieces += 1;
        begun(pieces);
        return work();
      }),
  };
  return { ...chunkDependencies(world().store), throttle: counting, pieces: () => pieces };
}

const numbered = (count: number): object[] => Array.from({ length: count }, (_, n) => aLine(`A${n}`));
const progressOf = async (account: TestAccount, id: string) =>
  (await world().call('GET', `${bulkPath}/${id}`, { apiKey: account.apiKey })).body as object;

/** The last line changes the first one's item: both belong to one piece. */
const lines = [...numbered(60), aLine('A3', { price: -1 }), aLine('A0', { price: 7 })];
const counts = { state: 'completed', total: 62, created: 60, updated: 1, unchanged: 0, failed: 1, removed: 0 };

test('a chunk is applied in pieces while somebody waits, with the counts that it has in one go', async (t) => {
  const [account, other] = [await world().account(), await world().account()];
  const [inPieces, inOneGo] = [await upload(world(), account, lines), await upload(world(), other, lines)];
  const busy = asked();
  await playBulk(busy, inPieces.body.id);
  t.is(busy.pieces(), 3);
  await playBulk(chunkDependencies(world().store), inOneGo.body.id);
  t.like(await progressOf(other, inOneGo.body.id), counts);
  t.like(await progressOf(account, inPieces.body.id), counts);
  const { body } = await world().call('GET', '/integration/v1/items/A0', { apiKey: account.apiKey });
  t.is(body.price, 7);
});

test('a process that dies between two pieces has written the first, and the next one counts it once', async (t) => {
  const account = await world().account();
  const { body } = await upload(world(), account, lines);
  const dying = asked((pieces) => {
    if (pieces === 2) throw new Error('killed');
  });
  await t.throwsAsync(playBulk(dying, body.id), { message: 'killed' });
  t.like(await progressOf(account, body.id), { state: 'running', created: 0 });
  await playBulk(asked(), body.id);
  t.like(await progressOf(account, body.id), counts);
});

test('what a snapshot leaves out is taken down in pieces, too', async (t) => {
  const account = await world().account();
  const first = await upload(world(), account, numbered(60));
  await playBulk(chunkDependencies(world().store), first.body.id);
  const second = await upload(world(), account, [aLine('A0')], { query: '?mode=snapshot&confirm=true' });
  const busy = asked();
  await playBulk(busy, second.body.id);
  t.like(await progressOf(account, second.body.id), { state: 'completed', unchanged: 1, removed: 59 });
  // One for the line, three for what is left out.
  t.is(busy.pieces(), 4);
});
