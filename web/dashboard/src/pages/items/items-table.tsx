import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { useDomainLabel } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { allMembersTexts } from '../../shell/all-members.tsx';
import { useMember } from '../../shell/member-choice.tsx';
import { Button, ExternalLink, LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-field.tsx';
import { Ago, Money } from '../../ui/facts.tsx';
import { Thumbnail } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Selection } from '../../ui/use-selection.ts';
import type { Sorting } from '../../ui/use-sorting.ts';
import { firstItemCommand } from '../keys/first-item-command.ts';
import { problemTexts } from '../../words/problems.ts';
import { hasNoImages } from './being-published.ts';
import { itemPath } from './item-path.ts';
import { noFilters } from './item-states.ts';
import './items.css';
import { MarketplaceBadge, ServiceBadge } from './status-badges.tsx';
import { itemsTexts } from './texts.ts';

/** In a list of all members, with the owner's reference. */
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
      cell: (item) => (
        <>
          <MarketplaceBadge item={item} />
          <Problem item={item} />
        </>
      ),
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

/** Only in a list of items with a problem. What the badge says already is not said again. */
function Problem({ item }: { readonly item: ItemRow }) {
  const words = useTexts(problemTexts);
  return item.problem === undefined || hasNoImages(item) ? null : (
    <span class="items-problem muted small">{words[item.problem]}</span>
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

/** Shown instead of an empty list: what to do next. */
export function NoItems({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useTexts(itemsTexts);
  const member = useMember();
  const [, setQuery] = useQuery();
  if (isFiltered)
    return (
      <Empty
        title={t.noneFit}
        actions={
          <Button
            onClick={() => {
              setQuery(noFilters);
            }}
          >
            {t.clear}
          </Button>
        }
      >
        <p>{t.noneFitHelp}</p>
      </Empty>
    );
  if (member !== undefined)
    return (
      <Empty title={t.noneOfMember}>
        <p>{t.noneOfMemberHelp}</p>
      </Empty>
    );
  return <PushTheFirst />;
}

function PushTheFirst() {
  const t = useTexts(itemsTexts);
  const command = firstItemCommand(location.origin, 'sk_live_…');
  return (
    <Empty
      title={t.none}
      actions={
        <>
          <LinkButton kind="primary" href="/dashboard/keys">
            {t.toKeys}
          </LinkButton>
          <CopyButton value={command} label="curl" />
          <ExternalLink href="/docs/">{t.toReference}</ExternalLink>
        </>
      }
    >
      <p>{t.noneHelp}</p>
      <pre tabIndex={0}>{command}</pre>
      <p class="muted small">{t.noneKey}</p>
    </Empty>
  );
}
