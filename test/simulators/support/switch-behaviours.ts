import type { ExecutionContext } from 'ava';
import { switchPositions, type SwitchChanges } from '../../../simulators/marketplace/switches.ts';
import { jpeg, type TestSeller } from './seller.ts';
import { present } from '../../support/clock.ts';

type Behaviour = (t: ExecutionContext, seller: TestSeller) => Promise<unknown>;

/** The usual positions are '200 false', '401', …; see switches.ts. */
export const usualPositions: SwitchChanges = Object.fromEntries(
  Object.entries(switchPositions).map(([name, [usual]]) => [name, usual]),
);

/** The last position of each switch: none is the usual one. */
export const otherPositions: SwitchChanges = Object.fromEntries(
  Object.entries(switchPositions).map(([name, positions]) => [name, positions.at(-1) ?? '']),
);

/** What a caller sees of each switch, in each of its positions. */
export const switchBehaviours: Readonly<Record<keyof typeof switchPositions, Readonly<Record<string, Behaviour>>>> = {
  refusedEnd: {
    false: async (t, seller) => t.deepEqual(await endWithBids(seller), [200, 'false']),
    '400': async (t, seller) => t.is((await endWithBids(seller))[0], 400),
  },
  badToken: {
    '401': async (t, seller) => t.is(await withBadToken(seller), 401),
    '403': async (t, seller) => t.is(await withBadToken(seller), 403),
  },
  timeZone: {
    Z: async (t, { read }) => t.regex(await read('/v4/reference-data/time'), /Z$/),
    none: async (t, { read }) => t.regex(await read('/v4/reference-data/time'), /T\d\d:\d\d:\d\d[.]\d+$/),
  },
  itemStatus: {
    there: async (t, seller) => t.like((await aLiveItem(seller)).status, { ended: false }),
    absent: async (t, seller) => t.false('status' in (await aLiveItem(seller))),
    empty: async (t, seller) => t.deepEqual((await aLiveItem(seller)).status, {}),
  },
  bidsMoveRowVersion: {
    yes: async (t, seller) => t.true(await isVersionMovedByBid(seller)),
    no: async (t, seller) => t.false(await isVersionMovedByBid(seller)),
  },
  retryAfter: {
    yes: async (t, seller) => t.regex(String(await retryAfter(seller)), /^\d+$/),
    no: async (t, seller) => t.is(await retryAfter(seller), undefined),
  },
  imageFormats: {
    A: async (t, seller) => t.deepEqual(await resultsOfJpeg(seller), [1, 2]),
    B: async (t, seller) => t.deepEqual(await resultsOfJpeg(seller), [2, 1]),
  },
  missingResult: {
    '[]': async (t, seller) => t.deepEqual(await resultOfDraft(seller), [200, '[]']),
    '404': async (t, seller) => t.is((await resultOfDraft(seller))[0], 404),
  },
  secondCommit: {
    '200': async (t, seller) => t.is(await commitTwice(t, seller), 200),
    '400': async (t, seller) => t.is(await commitTwice(t, seller), 400),
  },
  missingToDate: {
    unbounded: async (t, seller) => t.is(await ordersWithoutToDate(seller), 1),
    empty: async (t, seller) => t.is(await ordersWithoutToDate(seller), 0),
  },
  reservedItem: {
    '404': async (t, seller) => t.is((await readDraft(seller)).status, 404),
    readable: async (t, seller) => {
      const { endDate, openingBid } = (await readDraft(seller)).json<{ endDate: string; openingBid: number }>();
      t.true(Date.parse(endDate) > present().getTime(), 'its planned end is ahead, although it is not up');
      t.is(openingBid, 400);
      t.deepEqual(await seller.read('/v4/listings/seller-items'), [], 'but it is in no list');
    },
  },
};

async function endWithBids({ live, bid, wire }: TestSeller): Promise<[number, string]> {
  const { itemId } = await live();
  await bid(itemId, 400);
  const answer = await wire('DELETE', `/v4/listings/items/${itemId}`);
  return [answer.status, answer.text];
}

async function withBadToken({ useHeaders, wire }: TestSeller): Promise<number> {
  useHeaders({ 'x-user-token': 'wrong' });
  return (await wire('GET', '/v4/users/me')).status;
}

const aLiveItem = async ({ live, item }: TestSeller) => item((await live()).itemId);

async function isVersionMovedByBid({ live, bid, read }: TestSeller): Promise<boolean> {
  const { itemId } = await live();
  const feed = () => read<{ rowVersion: number }[]>('/v4/listings/updated-seller-items');
  const before = await feed();
  await bid(itemId, 400);
  return before[0]?.rowVersion !== (await feed())[0]?.rowVersion;
}

async function retryAfter({ admin, wire }: TestSeller): Promise<unknown> {
  await admin('POST', '/budget', { callsPerDay: 0 });
  return (await wire('GET', '/v4/users/me')).headers['retry-after'];
}

async function resultsOfJpeg({ draft, addImage, commit, settle, results }: TestSeller): Promise<number[]> {
  const codes: number[] = [];
  for (const number of [0, 1]) {
    const { requestId } = await draft();
    await addImage(requestId, jpeg, number);
    await commit(requestId);
    await settle();
    codes.push((await results(requestId))[0]?.resultCode ?? 0);
  }
  return codes;
}

async function resultOfDraft({ draft, wire }: TestSeller): Promise<[number, string]> {
  const { requestId } = await draft();
  const answer = await wire('GET', `/v4/listings/request-results?requestIds=${requestId}`);
  return [answer.status, answer.text];
}

/** Either way it is published once. */
async function commitTwice(t: ExecutionContext, { draft, commit, settle, listings }: TestSeller): Promise<number> {
  const { requestId } = await draft();
  await commit(requestId);
  await commit(requestId);
  await settle();
  const { status } = await commit(requestId);
  await settle();
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['active'],
  );
  return status;
}

async function ordersWithoutToDate({ sold, read }: TestSeller): Promise<number> {
  await sold();
  return (await read<unknown[]>('/v4/orders?fromDate=2020-01-01T00:00:00Z&queryDateMode=1')).length;
}

const readDraft = async ({ draft, wire }: TestSeller) => wire('GET', `/v4/listings/items/${(await draft()).itemId}`);
