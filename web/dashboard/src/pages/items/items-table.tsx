import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { useDomainLabel } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
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

interface ItemsTableProps {
  readonly rows: readonly ItemListEntry[];
  readonly sorting: Sorting;
  readonly selection: Selection;
}

export function ItemsTable({ rows, sorting, selection }: ItemsTableProps) {
  const t = useTexts(itemsTexts);
  const columns: readonly Column<ItemListEntry>[] = [
    { id: 'name', header: t.item, isName: true, cell: (item) => <ItemName item={item} /> },
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
      sorting={sorting}
      selection={selection}
    />
  );
}

function ItemName({ item }: { readonly item: ItemListEntry }) {
  const { title, externalId, domain, thumbnailUrl } = item;
  const member = useMember();
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
