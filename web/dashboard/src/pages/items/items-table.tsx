import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { useDomainLabel } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { allMembersTexts } from '../../shell/all-members.tsx';
import { useMember } from '../../shell/member-choice.tsx';
import { Money } from '../../ui/money.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { Ago } from '../../ui/time.tsx';
import { itemPath } from './item-path.ts';
import { MarketplaceBadge, ServiceBadge } from './status-badges.tsx';
import { itemsTexts } from './texts.ts';
import type { Selection } from '../../ui/use-selection.ts';
import type { Sorting } from '../../ui/use-sorting.ts';
import './items.css';

/** Of a list of all members it says whose it is. */
export type ItemRow = ItemListEntry & { readonly memberExternalId?: string };

interface ItemsTableProps {
  readonly rows: readonly ItemRow[];
  readonly isOfAllMembers: boolean;
  readonly sorting: Sorting;
  readonly selection: Selection;
}

export function ItemsTable({ rows, isOfAllMembers, sorting, selection }: ItemsTableProps) {
  const t = useTexts(itemsTexts);
  const words = useTexts(allMembersTexts);
  const memberColumn: Column<ItemRow> = {
    id: 'member',
    header: words.member,
    cell: ({ memberExternalId }) => <span class="code">{memberExternalId}</span>,
  };
  const columns: readonly Column<ItemRow>[] = [
    { id: 'name', header: t.item, isName: true, cell: (item) => <ItemName item={item} /> },
    ...(isOfAllMembers ? [memberColumn] : []),
    { id: 'service', header: t.status, cell: (item) => <ServiceBadge status={item.serviceStatus} /> },
    {
      id: 'marketplace',
      header: t.marketplace,
      cell: (item) => <MarketplaceBadge item={item} />,
    },
    { id: 'price', header: t.price, isNumber: true, cell: (item) => <Money sek={item.price} /> },
    { id: 'updated', header: t.updated, sort: 'service', cell: (item) => <Ago at={item.updatedAt} /> },
  ];
  return (
    <Table
      caption={t.title}
      columns={columns}
      rows={rows}
      idOf={({ serviceItemId }) => serviceItemId}
      nameOf={({ externalId }) => externalId}
      sorting={isOfAllMembers ? undefined : sorting}
      selection={selection}
    />
  );
}

function ItemName({ item }: { readonly item: ItemRow }) {
  const { title, externalId, domain, thumbnailUrl, memberExternalId } = item;
  const chosen = useMember();
  const member = memberExternalId ?? chosen;
  const labelOf = useDomainLabel();
  return (
    <span class="items-name">
      <Thumbnail url={thumbnailUrl} />
      <span class="items-words">
        <a href={itemPath(externalId, member)}>{title === '' ? externalId : title}</a>
        <span class="muted small">
          <code>{externalId}</code> · {labelOf(domain)}
        </span>
      </span>
    </span>
  );
}
