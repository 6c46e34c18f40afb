import type { ItemListEntry, ItemProblem } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import type { NoticeTone } from '../../ui/notice.tsx';

/**
 * Problems with a row in the to-do list. The others end by themselves, or with the connection, which has its own row.
 */
export const toldProblems = {
  given_up: 'bad',
  images: 'bad',
  plate_unknown: 'bad',
  marketplace_active_limit: 'wait',
  marketplace_take_down: 'wait',
  marketplace: 'wait',
  operator: 'wait',
  image_store: 'wait',
  registry_silent: 'wait',
  text_model_silent: 'wait',
  change_refused: 'info',
} as const satisfies Partial<Record<ItemProblem, NoticeTone>>;
export type ToldProblem = keyof typeof toldProblems;
const kinds = Object.keys(toldProblems).filter((key): key is ToldProblem => key in toldProblems);

export interface CountedItems {
  readonly kind: ToldProblem;
  readonly count: number;
  readonly drafts: number;
  /** More exist than were read. */
  readonly hasMore: boolean;
}

const itemsRead = 200;

/** One page has the problems of nearly every account. Only when there are more is each kind asked for. */
export async function countProblems(signal: AbortSignal): Promise<readonly CountedItems[]> {
  const { data } = await api.listPartnerItems({ query: { problem: 'any', limit: itemsRead }, signal });
  const counted =
    data.nextCursor === null
      ? kinds.map((kind) =>
          countOf(
            kind,
            data.items.filter(({ problem }) => problem === kind),
            false,
          ),
        )
      : await Promise.all(kinds.map(async (kind) => countOfKind(kind, signal)));
  return counted.filter(({ count }) => count > 0);
}

async function countOfKind(kind: ToldProblem, signal: AbortSignal): Promise<CountedItems> {
  const { data } = await api.listPartnerItems({ query: { problem: kind, limit: itemsRead }, signal });
  return countOf(kind, data.items, data.nextCursor !== null);
}

const countOf = (kind: ToldProblem, items: readonly ItemListEntry[], hasMore: boolean): CountedItems => ({
  kind,
  hasMore,
  count: items.length,
  drafts: items.filter(({ serviceStatus }) => serviceStatus === 'draft').length,
});
