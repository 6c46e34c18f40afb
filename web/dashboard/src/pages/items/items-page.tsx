import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { useAllMembers } from '../../shell/all-members.tsx';
import { memberQuery, useMember } from '../../shell/member-choice.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Page } from '../../ui/page.tsx';
import { SavedFilters } from '../../ui/saved-filters.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { knownSort, useSorting } from '../../ui/use-sorting.ts';
import { itemSorts, readItemFilters, type ItemFilters } from './item-filters.ts';
import { lookAtListAgainMs } from './item-states.ts';
import { ItemsFilters } from './items-filters.tsx';
import { ItemsSelection } from './items-selection.tsx';
import { ItemsTable, type ItemRow } from './items-table.tsx';
import { NoItems } from './no-items.tsx';
import { itemsTexts } from './texts.ts';

export function ItemsPage() {
  const t = useTexts(itemsTexts);
  const member = useMember();
  const [query] = useQuery();
  const filters = readItemFilters(query);
  const sorting = useSorting('-created');
  const sort = knownSort(sorting, itemSorts);
  const order = sort === undefined ? {} : { sort };
  const isAll = useAllMembers();
  const { externalId = '' } = query;
  const items = usePages<ItemRow>(
    async (cursor, signal) => {
      if (isAll) return pageOfAllMembers({ filters, externalId, cursor, signal });
      const page = { ...filters, ...order, ...memberQuery(member), ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listPartnerItems({ query: page, signal });
      return { rows: data.items, nextCursor: data.nextCursor };
    },
    {
      idOf: ({ serviceItemId }) => serviceItemId,
      on: [filters, sort, member, isAll, externalId],
      pollMs: lookAtListAgainMs,
      shows: [{ kind: 'items' }],
    },
  );
  const selection = useSelection((items.rows ?? []).map(({ serviceItemId }) => serviceItemId));
  const isFiltered = Object.keys(filters).length > 0 || externalId !== '';
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        !isAll && (
          <ExportButton
            name="items"
            read={async (language) =>
              api.exportItems({ query: { ...filters, ...order, ...memberQuery(member), language }, parseAs: 'stream' })
            }
          />
        )
      }
    >
      <ItemsFilters />
      <SavedFilters />
      <ListOf pages={items} empty={<NoItems isFiltered={isFiltered} />}>
        {(rows) => <ItemsTable rows={rows} isOfAllMembers={isAll} sorting={sorting} selection={selection} />}
      </ListOf>
      <ItemsSelection rows={items.rows ?? []} selection={selection} onDone={items.reload} />
    </Page>
  );
}

interface AllMembersPage {
  readonly filters: ItemFilters;
  readonly externalId: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** Of the filters, those that a list of all members knows. */
async function pageOfAllMembers({ filters, externalId, cursor, signal }: AllMembersPage) {
  const { serviceStatus, marketplaceStatus } = filters;
  const query = {
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...(externalId !== '' && { externalId }),
    ...(cursor !== undefined && { cursor }),
  };
  const { data } = await api.listMembersItems({ query, signal });
  return { rows: data.items, nextCursor: data.nextCursor };
}
