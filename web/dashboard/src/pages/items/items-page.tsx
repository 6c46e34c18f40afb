import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { memberQuery, useMember } from '../../shell/member-choice.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Page } from '../../ui/page.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { knownSort, useSorting } from '../../ui/use-sorting.ts';
import { itemSorts, readItemFilters } from './item-filters.ts';
import { lookAtListAgainMs } from './item-states.ts';
import { ItemsFilters } from './items-filters.tsx';
import { ItemsSelection } from './items-selection.tsx';
import { ItemsTable } from './items-table.tsx';
import { NoItems } from './no-items.tsx';
import { itemsTexts } from './texts.ts';

export function ItemsPage() {
  const t = useTexts(itemsTexts);
  const member = useMember();
  const [query] = useQuery();
  const filters = readItemFilters(query);
  const sorting = useSorting('-created');
  const sort = knownSort(sorting, itemSorts);
  const items = usePages(
    async (cursor, signal) => {
      const order = sort === undefined ? {} : { sort };
      const page = { ...filters, ...order, ...memberQuery(member), ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listPartnerItems({ query: page, signal });
      return { rows: data.items, nextCursor: data.nextCursor };
    },
    {
      idOf: ({ serviceItemId }) => serviceItemId,
      on: [filters, sort, member],
      pollMs: lookAtListAgainMs,
      shows: [{ kind: 'items' }],
    },
  );
  const selection = useSelection((items.rows ?? []).map(({ serviceItemId }) => serviceItemId));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t.title} lead={t.lead}>
      <ItemsFilters />
      <ListOf pages={items} empty={<NoItems isFiltered={isFiltered} />}>
        {(rows) => <ItemsTable rows={rows} sorting={sorting} selection={selection} />}
      </ListOf>
      <ItemsSelection rows={items.rows ?? []} selection={selection} onDone={items.reload} />
    </Page>
  );
}
