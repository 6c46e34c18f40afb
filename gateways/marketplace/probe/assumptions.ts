import { timeOf } from '../wire-kit.ts';
import type { WireSettings } from '../wire.ts';
import { judge, noneOf, ofBody, ofStatus, unseen, type Finding, type Judgement } from './findings.ts';
import { documentFindings, formFindings } from './form-findings.ts';
import { highestVersion, statusAndCode, type Looked, type ProbeAnswer } from './look-for-probe.ts';
import { at, fieldOf, numbersOf, rowsOf } from './read-loosely.ts';

export interface Judging {
  readonly looked: Looked;
  readonly wire: WireSettings;
  /** The categories in which the service publishes, after the setting that maps them. */
  readonly categoryIds: readonly number[];
  readonly now: Date;
}

/** Everything that the adapter takes for granted, or can do either way, beside what was seen of it. */
export const findingsOf = (judging: Judging): readonly Finding[] => [
  ...documentFindings(judging.looked.document),
  ...formFindings(judging.looked),
  ...assumptions.map(([assumption, judgeIt]) => ({ assumption, ...judgeIt(judging) })),
];

type Assumption = readonly [string, (judging: Judging) => Judgement];

const hasAll = (
  answer: ProbeAnswer | undefined,
  wanted: readonly number[],
  read: (body: unknown) => readonly number[],
) =>
  ofBody(answer, (body) => {
    const known = read(body);
    return noneOf(
      wanted.filter((number) => !known.includes(number)),
      { none: `all of ${known.length} known`, label: 'unknown there' },
    );
  });
const idsIn = (body: unknown): readonly number[] => numbersOf(rowsOf(body), 'id');

const credentials: readonly Assumption[] = [
  ['the application’s id and key are accepted', ({ looked }) => ofStatus(looked.time, [200])],
  ['a wrong application key is refused with 401', ({ looked }) => ofStatus(looked.wrongKey, [401])],
  ['the user’s token is accepted', ({ looked }) => ofStatus(looked.me, [200])],
  ['a wrong token of a user is refused with 401 or 403', ({ looked }) => ofStatus(looked.wrongToken, [401, 403])],
  [
    'a refusal says {"error": {"code", "message"}}',
    ({ looked: { wrongKey, wrongToken, foreignItem } }) => {
      const refusals = [wrongKey, wrongToken, foreignItem].filter(
        (answer) => answer !== undefined && answer.status >= 400,
      );
      if (refusals.length === 0) return unseen('nothing was refused');
      const isForm = refusals.every((answer) => typeof at(answer?.body, 'error.code') === 'string');
      return judge(isForm, refusals.map((answer) => (answer ? statusAndCode(answer) : '')).join('; '));
    },
  ],
  ['an auction that is not there is refused with 404', ({ looked }) => ofStatus(looked.foreignItem, [404])],
  [
    'answers say how many calls are left, or when to come again',
    ({ looked }) => {
      const names = Object.values(looked).flatMap(({ headers }) => Object.keys(headers));
      const limits = [...new Set(names)].filter((name) => /rate-?limit|retry-after|quota/i.test(name));
      return limits.length === 0 ? unseen('no such header') : judge(true, limits.join(', '));
    },
  ],
];

const referenceData: readonly Assumption[] = [
  ['bidders: 1 is Sweden', ({ looked }) => hasAll(looked.bidderTypes, [1], idsIn)],
  ['types of items: 1 is an auction', ({ looked }) => hasAll(looked.itemTypes, [1], idsIn)],
  [
    'VAT can be 25, 12 and 6 per cent',
    ({ looked }) => hasAll(looked.fieldValues, [25, 12, 6], (body) => listOfNumbers(fieldOf(body, 'vat'))),
  ],
  [
    'the configured ways to ship are known',
    ({ looked, wire: { ownShipping, pickup } }) => {
      const options = [ownShipping.optionId, pickup.optionId].filter((id) => id !== undefined);
      const shippingTypes = (body: unknown) => idsIn(fieldOf(body, 'shippingTypes'));
      return hasAll(looked.fieldValues, options, shippingTypes);
    },
  ],
  [
    'the configured provider for an own price can be booked',
    ({ looked, wire: { ownShipping } }) => {
      if (ownShipping.providerId === undefined) return unseen('none is configured');
      const found = hasAll(looked.shippingOptions, [ownShipping.providerId], providersIn);
      // An own price needs no product of a carrier, so that none is shown says little.
      return found.verdict === 'differs' ? unseen('no product of it is shown') : found;
    },
  ],
  [
    'every category in which the service publishes is known there',
    ({ looked, categoryIds }) =>
      hasAll(looked.categories, categoryIds, (body) => categoriesIn(body).map(({ id }) => id)),
  ],
  [
    'and has no categories below it',
    ({ looked, categoryIds }) =>
      ofBody(looked.categories, (body) => {
        const parents = categoriesIn(body).filter(({ id, isLeaf }) => categoryIds.includes(id) && !isLeaf);
        return noneOf(
          parents.map(({ id }) => id),
          { none: 'all that are known', label: 'with categories below' },
        );
      }),
  ],
  ...(['attributes', 'otherAttributes'] as const).map((name): Assumption => [
    `${name === 'attributes' ? 'the first' : 'the second'} of two categories asks for no attribute`,
    ({ looked }) =>
      ofBody(looked[name], (body) => {
        const needed = rowsOf(body).filter((row) => Number(fieldOf(row, 'minNumberOfValues')) > 0);
        return noneOf(numbersOf(needed, 'id'), { none: `none of ${rowsOf(body).length} needed`, label: 'needed' });
      }),
  ]),
];

const listOfNumbers = (value: unknown): readonly number[] =>
  (Array.isArray(value) ? value : []).filter((entry): entry is number => typeof entry === 'number');

const providersIn = (body: unknown): readonly number[] =>
  rowsOf(fieldOf(body, 'productsPerWeightSpan')).flatMap((span) =>
    numbersOf(rowsOf(fieldOf(span, 'products')), 'shippingProviderId'),
  );

function categoriesIn(body: unknown): readonly { readonly id: number; readonly isLeaf: boolean }[] {
  return rowsOf(body).flatMap((category) => {
    const below = categoriesIn(fieldOf(category, 'category'));
    return [...numbersOf([category], 'id').map((id) => ({ id, isLeaf: below.length === 0 })), ...below];
  });
}

/** Of the auctions in an answer; without one there is nothing to see. */
const ofAuctions = (answer: ProbeAnswer | undefined, judgeRows: (rows: readonly unknown[]) => Judgement): Judgement =>
  ofBody(answer, (body) => (rowsOf(body).length === 0 ? unseen('there is no row') : judgeRows(rowsOf(body))));

const endOf = (row: unknown): Date | null => {
  const text = fieldOf(row, 'endDate');
  try {
    return typeof text === 'string' ? timeOf(text) : null;
  } catch {
    return null;
  }
};
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Without `status` the end tells it, with a tolerance for clocks and zones. */
const isIn = (state: 'running' | 'ended', row: unknown, now: Date): boolean => {
  const ended = at(row, 'status.ended');
  if (typeof ended === 'boolean') return ended === (state === 'ended');
  const aheadMs = (endOf(row)?.getTime() ?? 0) - now.getTime();
  return state === 'ended' ? aheadMs < 2 * hourMs : aheadMs > -2 * hourMs;
};
const countOf = (rows: readonly unknown[], is: (row: unknown) => boolean): string =>
  `${rows.filter(is).length} of ${rows.length}`;
const everyRow = (rows: readonly unknown[], is: (row: unknown) => boolean): Judgement =>
  judge(rows.every(is), countOf(rows, is));

const auctions: readonly Assumption[] = [
  [
    'filterActive=1 gives running auctions alone',
    ({ looked, now }) => ofAuctions(looked.running, (rows) => everyRow(rows, (row) => isIn('running', row, now))),
  ],
  [
    'filterActive=2 with minEndDate gives ended auctions of that time alone',
    ({ looked, now }) =>
      ofAuctions(looked.ended, (rows) =>
        everyRow(rows, (row) => isIn('ended', row, now) && (endOf(row)?.getTime() ?? 0) > now.getTime() - 8 * dayMs),
      ),
  ],
  [
    'an auction has status.ended and status.gotWinner',
    ({ looked }) =>
      ofAuctions(looked.ended ?? looked.running, (rows) =>
        everyRow(rows, (row) => ['ended', 'gotWinner'].every((name) => typeof at(row, `status.${name}`) === 'boolean')),
      ),
  ],
  [
    'an auction has itemLink',
    ({ looked }) =>
      ofAuctions(looked.running, (rows) => everyRow(rows, (row) => URL.canParse(String(fieldOf(row, 'itemLink'))))),
  ],
  [
    'times have a zone',
    ({ looked: { time, running, ended } }) => {
      const [row] = [running, ended].flatMap((answer) => rowsOf(answer?.body));
      const text = typeof time?.body === 'string' ? time.body : fieldOf(row, 'endDate');
      return typeof text === 'string'
        ? judge(/(?:Z|[+-]\d\d:?\d\d)$/.test(text), /\d$/.test(text) ? 'none' : 'given')
        : unseen('no time came');
    },
  ],
  [
    'one auction is answered as it is in the list',
    ({ looked: { item, running, ended } }) =>
      ofBody(item, (body) => {
        const inList = [running, ended].flatMap((answer) => rowsOf(answer?.body))[0];
        const names = ['id', 'openingBid', 'totalBids', 'endDate'];
        return noneOf(
          names.filter((name) => fieldOf(body, name) !== fieldOf(inList, name)),
          { none: 'the same', label: 'another' },
        );
      }),
  ],
  [
    'the list of running auctions is shorter than what is read of an answer',
    ({ looked: { running } }) =>
      ofBody(running, (body) => {
        const bytes = Buffer.byteLength(running?.text ?? '');
        return judge(bytes < 32 * 1024 * 1024, `${Math.ceil(bytes / 1024)} KiB for ${rowsOf(body).length} auctions`);
      }),
  ],
];

const feeds: readonly Assumption[] = [
  [
    'row versions come as digits, and are exact as numbers',
    ({ looked: { updated } }) =>
      ofAuctions(updated, () => {
        const highest = highestVersion(updated);
        if (highest === null) return judge(false, 'no row version');
        return judge(Number.isSafeInteger(Number(highest)), `${highest.length} digits`);
      }),
  ],
  [
    'rows of updates come in the order of their versions',
    ({ looked }) =>
      ofAuctions(looked.updated, (rows) => {
        const versions = numbersOf(rows, 'rowVersion');
        return judge(
          versions.every((version, index) => index === 0 || version >= (versions[index - 1] ?? 0)),
          `${rows.length} rows`,
        );
      }),
  ],
  [
    'nothing comes after the highest row version',
    ({ looked }) =>
      ofBody(looked.updatedAfter, (body) => judge(rowsOf(body).length === 0, `${rowsOf(body).length} rows`)),
  ],
  [
    'filter=4 leaves no sale out',
    ({ looked: { sales, changedSales } }) =>
      ofAuctions(sales, (rows) =>
        ofBody(changedSales, (body) => {
          const shown = idsIn(body);
          return everyRow(rows, (row) => numbersOf([row], 'id').every((id) => shown.includes(id)));
        }),
      ),
  ],
  [
    'a sale says what was sold, and whether it is marked as paid',
    ({ looked }) =>
      ofAuctions(looked.sales, (rows) =>
        everyRow(
          rows,
          (row) => at(row, 'item.id') !== undefined && typeof fieldOf(row, 'isMarkedAsPaidConfirmed') === 'boolean',
        ),
      ),
  ],
  [
    'orders of auctions have no shipTo',
    ({ looked }) => ofAuctions(looked.orders, (rows) => everyRow(rows, (row) => fieldOf(row, 'shipTo') === null)),
  ],
  [
    'orders without toDate are the same as those until tomorrow',
    ({ looked: { orders, ordersWithoutEnd } }) =>
      ofAuctions(orders, (rows) =>
        ofBody(ordersWithoutEnd, (body) =>
          judge(rowsOf(body).length === rows.length, `${rowsOf(body).length} of ${rows.length}`),
        ),
      ),
  ],
  [
    'a request without a result is in no row, or 404',
    ({ looked: { results } }) =>
      results?.status === 404
        ? judge(true, statusAndCode(results))
        : ofBody(results, (body) => judge(rowsOf(body).length === 0, `${rowsOf(body).length} rows`)),
  ],
];

const uncommitted = 256;
const draft: readonly Assumption[] = [
  [
    'a draft gets a request id and an item id at once',
    ({ looked }) =>
      ofBody(looked.draft, (body) =>
        judge(
          idsOfDraft.every((name) => numbersOf([body], name).length === 1),
          'created',
        ),
      ),
  ],
  [
    'its picture is accepted without a body',
    ({ looked: { picture } }) => ofBody(picture, () => judge(picture?.text === '', 'HTTP 200')),
  ],
  [
    'its result is 256 (uncommitted), or none',
    ({ looked }) =>
      ofBody(looked.draftResult, (body) => {
        const codes = numbersOf(rowsOf(body), 'resultCode');
        return judge(
          codes.every((code) => code === uncommitted),
          codes.length === 0 ? 'none' : codes.join(', '),
        );
      }),
  ],
  ['its item can’t be read before the commit (404)', ({ looked }) => ofStatus(looked.draftItem, [404])],
];
const idsOfDraft = ['requestId', 'itemId'];

const assumptions: readonly Assumption[] = [...credentials, ...referenceData, ...auctions, ...feeds, ...draft];
