import { groupBy } from '../../../features/rules/group-by.ts';
import type { Ad, ItemRow, Observed, Violation } from '../observed.ts';
import { believe, believeContested, type Believed, type There } from './model.ts';

/** One external id of one account, with all that is known of it. */
interface Life {
  readonly key: string;
  readonly believed: Believed;
  readonly row: ItemRow | undefined;
  /** Of the row that is there now. */
  readonly ads: readonly Ad[];
  readonly wasSold: boolean;
  /** Somebody ended one of its auctions. */
  readonly wasEnded: boolean;
  readonly answer: Observed['answers'][string] | undefined;
}

/** Every accepted write took effect, the last one won, and the marketplace shows what the item says. */
export function checkItems(observed: Observed): Violation[] {
  return livesOf(observed).flatMap((life) => [
    ...checkWrites(life),
    ...(life.row === undefined ? [] : checkAgreement(life, life.row)),
    ...checkAnswer(life),
  ]);
}

function livesOf({ writes, rows, ads, answers }: Observed): Life[] {
  const keys = groupBy(writes, ({ account, externalId }) => `${account}/${externalId}`);
  const rowsOf = groupBy(rows, ({ account, externalId }) => `${account}/${externalId}`);
  const adsOf = groupBy(ads, ({ account, externalId }) => `${account}/${externalId}`);
  return [...keys].map(([key, own]) => {
    const all = (adsOf.get(key) ?? []).filter(({ wasUp }) => wasUp);
    const row = rowsOf.get(key)?.find(({ current }) => current);
    const wasSold = all.some(({ state }) => state === 'sold');
    return {
      key,
      believed: own.some(({ isContested }) => isContested)
        ? believeContested(own)
        : believe(own, { mayBeSold: wasSold }),
      row,
      ads: all.filter(({ itemId }) => itemId === row?.id),
      wasSold,
      wasEnded: all.some(({ state, itemId }) => itemId === row?.id && state === 'ended'),
      answer: answers[key],
    };
  });
}

function checkWrites({ key, believed, row, ads }: Life): Violation[] {
  const lost = (message: string): Violation => ({ kind: 'lost-write', id: key, message });
  if (believed.problems.length > 0) return believed.problems.map(lost);
  const there = believed.states.filter((state) => state !== 'gone');
  const wanted = JSON.stringify(believed.states);
  if (row === undefined) return there.length < believed.states.length ? [] : [lost(`it is gone instead of ${wanted}`)];
  if (there.length === 0) return [lost(`it is there (item ${row.id}) although it was deleted last`)];
  const fits = there.some((state) => isLike(row, state, { ads, believed }));
  const seen = JSON.stringify({ title: row.title, price: row.price, service: row.serviceStatus });
  return fits ? [] : [lost(`it is ${seen} instead of ${wanted}`)];
}

function isLike(row: ItemRow, state: There, { ads, believed }: Pick<Life, 'ads' | 'believed'>): boolean {
  // Bids hold the price as it was when they came.
  const isPrice = row.price === state.price || (ads.some(({ hasBids }) => hasBids) && believed.prices.has(row.price));
  return row.title === state.title && isPrice && isService(row, state, { ads, believed });
}

const serviceStatusOf = { live: 'active', not_listed: 'not_listed', sold: 'sold' } as const;

function isService(row: ItemRow, state: There, { ads, believed }: Pick<Life, 'ads' | 'believed'>): boolean {
  const won = ads.filter((ad) => ad.state === 'sold');
  if (won.length === 0) return row.serviceStatus === serviceStatusOf[state.service];
  // Whether the service heard of the sale before or after a write of about the same time is left open.
  const wasWrittenSince = won.every(({ updatedAt }) => believed.statusWrittenAt > updatedAt - 1_000);
  return row.serviceStatus === 'sold' || (wasWrittenSince && row.serviceStatus === serviceStatusOf[state.service]);
}

const isUp = ({ state }: Ad): boolean => state === 'active' || state === 'waiting';

function checkAgreement({ key, ads, believed, wasSold, wasEnded }: Life, row: ItemRow): Violation[] {
  const differs = (message: string): Violation => ({ kind: 'disagreement', id: key, message });
  const up = ads.filter(isUp);
  const [ad] = up;
  if ((row.marketplaceStatus === 'active') !== (ad !== undefined))
    return [differs(`the item (${row.id}) is ${row.marketplaceStatus}, and ${up.length} auctions of it are up`)];
  const isWanted = row.serviceStatus === 'active';
  const isLeftUp = ad !== undefined && !isWanted && !ad.hasBids;
  if (isLeftUp) return [differs(`the auction ${ad.adId} of an item that is ${row.serviceStatus} is up`)];
  if (ad !== undefined && isWanted && !ad.hasBids) return shownProblems(row, ad).map(differs);
  const wasWanted = believed.states.every((state) => state !== 'gone' && state.service === 'live');
  const isMissing = ad === undefined && wasWanted && !wasSold && !wasEnded && row.waitingFor === null;
  const isAuction = ads.length > 0 || row.marketplaceStatus === 'sync_error';
  return isMissing && isAuction ? [differs(`it is ${row.marketplaceStatus}, and nobody took it down`)] : [];
}

function shownProblems(row: ItemRow, ad: Ad): string[] {
  // The marketplace takes whole kronor, rounded half up.
  const price = Math.floor(row.price + 0.5);
  return [
    ...(ad.title === row.shownTitle ? [] : [`the auction ${ad.adId} says "${ad.title}", the item "${row.shownTitle}"`]),
    ...(ad.startPrice === price ? [] : [`the auction ${ad.adId} costs ${ad.startPrice}, the item ${row.price}`]),
  ];
}

function checkAnswer({ key, row, answer, wasSold }: Life): Violation[] {
  const wrong = (message: string): Violation => ({ kind: 'wrong-answer', id: key, message });
  if (answer === undefined) return [];
  if (row === undefined) {
    const isKept = answer !== null && answer.serviceStatus === 'archived' && wasSold;
    return answer === null || isKept ? [] : [wrong(`GET shows ${JSON.stringify(answer)} of an item that is gone`)];
  }
  const stored = { serviceStatus: row.serviceStatus, marketplaceStatus: row.marketplaceStatus, price: row.price };
  const [seen, wanted] = [JSON.stringify(answer), JSON.stringify(stored)];
  return seen === wanted ? [] : [wrong(`GET shows ${seen}, stored is ${wanted}`)];
}

/** One auction at most of an external id, at the end and at every look; one order for each that was won. */
export function checkListings({ rows, ads, doubles, orders }: Observed): Violation[] {
  const up = groupBy(ads.filter(isUp), ({ account, externalId }) => `${account}/${externalId}`);
  const current = new Set(rows.filter((row) => row.current).map(({ id }) => id));
  const orderCount = (adId: string): number => orders.filter((order) => order.adId === adId).length;
  const won = ads.filter(({ state }) => state === 'sold');
  const wonIds = new Set(won.map(({ adId }) => adId));
  return [
    ...[...up]
      .filter(([, own]) => own.length > 1)
      .map(([id, own]): Violation => ({
        kind: 'two-listings',
        id,
        message: `${own.length} auctions are up: ${own.map(({ adId }) => adId).join(', ')}`,
      })),
    ...doubles.map((id): Violation => ({ kind: 'two-listings', id, message: 'two auctions were up at the same time' })),
    ...ads
      .filter((ad) => isUp(ad) && !ad.hasBids && !current.has(ad.itemId))
      .map((ad): Violation => ({
        kind: 'disagreement',
        id: `${ad.account}/${ad.externalId}`,
        message: `the auction ${ad.adId} of the deleted item ${ad.itemId} is up`,
      })),
    ...won
      .filter(({ adId }) => orderCount(adId) !== 1)
      .map(({ adId }): Violation => ({
        kind: 'order',
        id: adId,
        message: `the auction was won, and there are ${orderCount(adId)} orders of it`,
      })),
    ...orders
      .filter(({ adId }) => adId !== null && !wonIds.has(adId))
      .map(({ id, adId }): Violation => ({ kind: 'order', id, message: `nobody won the auction ${String(adId)}` })),
  ];
}

/** Nothing is owed, or it waits for what only the outside can bring, and says so; what it waits for is really there. */
export function checkSettled({ rows, ads }: Observed): Violation[] {
  const upOf = groupBy(ads.filter(isUp), ({ account, externalId }) => `${account}/${externalId}`);
  const hasReason = ({ id, account, externalId, waitingFor }: ItemRow): boolean => {
    const up = upOf.get(`${account}/${externalId}`) ?? [];
    if (waitingFor === 'auction_end') return up.some(({ itemId, hasBids }) => itemId === id && hasBids);
    return waitingFor === 'previous_listing' && up.some(({ itemId }) => itemId !== id);
  };
  return rows
    .filter((row) => !row.isSettled && !hasReason(row))
    .map((row): Violation => ({
      kind: 'unsettled-item',
      id: `${row.account}/${row.externalId}`,
      message: `the item ${row.id} owes work: waiting for ${row.waitingFor ?? 'nothing'}; ${row.owes}`,
    }));
}
