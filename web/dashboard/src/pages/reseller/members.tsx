import { useState } from 'preact/hooks';
import type { FindMembersData, ListedMember } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Money } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { SearchField } from '../../ui/form.tsx';
import { Badge } from '../../ui/icon.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Sorting } from '../../ui/use-sorting.ts';
import { problemPath } from '../items/item-path.ts';
import { ReferenceDialog } from './reference-dialog.tsx';
import { resellerTexts } from './texts.ts';

type Order = NonNullable<NonNullable<FindMembersData['query']>['sort']>;
const orders = ['joined', 'name', 'reference', 'connection', 'failing', 'missed', 'sales'] as const satisfies Order[];

/** The reseller's members: searched, sorted, in pages. Search and order are part of the address. */
export function Members() {
  const t = useTexts(resellerTexts);
  const [{ q = '', sort }, setQuery] = useQuery();
  const [renamed, setRenamed] = useState<ListedMember>();
  const order = orders.find((one) => one === sort) ?? 'joined';
  const sorting: Sorting = {
    by: order,
    isDescending: fromTheGreatest.has(order),
    sortBy: (id) => {
      setQuery({ sort: id === order ? undefined : id });
    },
  };
  const members = usePages(
    async (cursor, signal) => {
      const query = { sort: order, ...(q.trim() !== '' && { q }), ...(cursor !== undefined && { cursor }) };
      const { data } = await api.findMembers({ query, signal });
      return { rows: data.members, nextCursor: data.nextCursor };
    },
    { idOf: ({ memberUserId }) => memberUserId, on: [q, order], pollMs: restingMs },
  );
  return (
    <>
      <search class="filters" aria-label={t.findMembers}>
        <SearchField
          label={t.search}
          value={q}
          onSearch={(text) => {
            setQuery({ q: text });
          }}
        />
        <SelectField
          label={t.sortBy}
          value={order}
          choices={orders.map((value) => ({ value, label: t.orderNames[value] }))}
          onChange={(value) => {
            setQuery({ sort: value });
          }}
        />
      </search>
      <ListOf pages={members} empty={<NoMembers isSearched={q !== ''} />}>
        {(rows) => <MembersTable members={rows} sorting={sorting} onRename={setRenamed} onRemoved={members.reload} />}
      </ListOf>
      {renamed !== undefined && (
        <RenameMember
          member={renamed}
          onDone={members.reload}
          onClose={() => {
            setRenamed(undefined);
          }}
        />
      )}
    </>
  );
}

interface Rename {
  readonly member: ListedMember;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RenameMember({ member: { memberUserId, memberName, externalId }, ...ends }: Rename) {
  const t = useTexts(resellerTexts);
  const words = {
    title: t.renameOf(memberName),
    text: t.renameText,
    field: t.newReference,
    button: t.rename,
    done: t.renamed,
  };
  return <ReferenceDialog memberUserId={memberUserId} externalId={externalId} words={words} {...ends} />;
}

function NoMembers({ isSearched }: { readonly isSearched: boolean }) {
  const t = useTexts(resellerTexts);
  return isSearched ? (
    <Empty title={t.noneFit} />
  ) : (
    <Empty title={t.noMembers}>
      <p>{t.noMembersText}</p>
    </Empty>
  );
}

/** The service supports one direction for each order: numbers descending, texts ascending. */
const fromTheGreatest: ReadonlySet<Order> = new Set<Order>(['connection', 'failing', 'missed', 'sales']);

interface MembersTableProps {
  readonly members: readonly ListedMember[];
  readonly sorting: Sorting;
  readonly onRename: (member: ListedMember) => void;
  readonly onRemoved: () => void;
}

/** Leads to the list of exactly those items. */
function BlockedItems({ member: { blockedItems, externalId } }: { readonly member: ListedMember }) {
  const count = useFormat().number(blockedItems);
  return blockedItems === 0 ? <>{count}</> : <a href={problemPath('any', { member: externalId })}>{count}</a>;
}

function MembersTable({ members, sorting, onRename, onRemoved }: MembersTableProps) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const columns: readonly Column<ListedMember>[] = [
    { id: 'name', header: t.name, isName: true, sort: 'service', cell: (member) => <MemberName member={member} /> },
    {
      id: 'connection',
      header: t.marketplace,
      sort: 'service',
      cell: ({ marketplace }) => <Marketplace state={marketplace} />,
    },
    {
      id: 'failing',
      header: t.failing,
      isNumber: true,
      sort: 'service',
      cell: (member) => <BlockedItems member={member} />,
    },
    {
      id: 'missed',
      header: t.missed,
      isNumber: true,
      sort: 'service',
      cell: ({ missedEvents }) => format.number(missedEvents),
    },
    {
      id: 'sales',
      header: t.recentSales,
      isNumber: true,
      sort: 'service',
      cell: ({ sales }) => <Money sek={sales.amount} />,
    },
    {
      id: 'actions',
      header: t.actions,
      isUnlabelled: true,
      cell: (member) => (
        <MemberActions
          member={member}
          onRename={() => {
            onRename(member);
          }}
          onRemoved={onRemoved}
        />
      ),
    },
  ];
  return (
    <Table
      caption={t.members}
      columns={columns}
      rows={members}
      idOf={({ memberUserId }) => memberUserId}
      sorting={sorting}
    />
  );
}

/** The address has the reference, which people know; the service accepts it like the id. */
const pathOf = (page: string, { externalId }: ListedMember): string =>
  `/dashboard/${page}?member=${encodeURIComponent(externalId)}`;

function MemberName({ member }: { readonly member: ListedMember }) {
  const t = useTexts(resellerTexts);
  return (
    <span class="reseller-member">
      <a href={pathOf('items', member)} aria-label={t.itemsOf(member.memberName)}>
        {member.memberName}
      </a>
      <span class="code small muted">{member.externalId}</span>
    </span>
  );
}

const connectionTones = { connected: 'ok', expired: 'bad', none: 'quiet' } as const;

function Marketplace({ state }: { readonly state: ListedMember['marketplace'] }) {
  const t = useTexts(resellerTexts);
  return <Badge tone={connectionTones[state]}>{t.connectionNames[state]}</Badge>;
}

interface MemberActionsProps {
  readonly member: ListedMember;
  readonly onRename: () => void;
  readonly onRemoved: () => void;
}

function MemberActions({ member, onRename, onRemoved }: MemberActionsProps) {
  const t = useTexts(resellerTexts);
  const { memberUserId, memberName } = member;
  return (
    <span class="reseller-actions">
      <a href={pathOf('bulk-syncs', member)} aria-label={t.syncsOf(memberName)}>
        {t.syncs}
      </a>
      <Button label={t.renameOf(memberName)} onClick={onRename}>
        {t.rename}
      </Button>
      <ConfirmButton
        kind="danger"
        label={t.removeOf(memberName)}
        title={t.removeTitle(memberName)}
        body={<p>{t.removeText}</p>}
        toast={t.removed}
        onConfirm={async () => api.removeMember({ path: { memberUserId } })}
        onDone={onRemoved}
      >
        {t.remove}
      </ConfirmButton>
    </span>
  );
}
