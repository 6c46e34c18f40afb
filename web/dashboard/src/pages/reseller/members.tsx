import { useState } from 'preact/hooks';
import type { FindMembersData, ListedMember, MemberConnection } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormButtons } from '../../ui/confirm-button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { Money } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, SearchField } from '../../ui/form.tsx';
import { Badge } from '../../ui/icon.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty, ErrorNote } from '../../ui/notice.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Sorting } from '../../ui/use-sorting.ts';
import { problemPath } from '../items/item-path.ts';
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
    { idOf: ({ memberUserId }) => memberUserId, on: [q, order], pollMs: () => restingMs, shows: [{ kind: 'members' }] },
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
        {(rows) => <MembersTable members={rows} sorting={sorting} onRename={setRenamed} />}
      </ListOf>
      {renamed !== undefined && (
        <RenameDialog
          member={renamed}
          onRenamed={members.reload}
          onClose={() => {
            setRenamed(undefined);
          }}
        />
      )}
    </>
  );
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
}

/** Leads to the list of exactly those items. */
function BlockedItems({ member: { blockedItems, externalId } }: { readonly member: ListedMember }) {
  const count = useFormat().number(blockedItems);
  return blockedItems === 0 ? <>{count}</> : <a href={problemPath('any', { member: externalId })}>{count}</a>;
}

function MembersTable({ members, sorting, onRename }: MembersTableProps) {
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

function MemberActions({ member, onRename }: { readonly member: ListedMember; readonly onRename: () => void }) {
  const t = useTexts(resellerTexts);
  const { memberName } = member;
  return (
    <span class="reseller-actions">
      <a href={pathOf('bulk-syncs', member)} aria-label={t.syncsOf(memberName)}>
        {t.syncs}
      </a>
      <Button label={t.renameOf(memberName)} onClick={onRename}>
        {t.rename}
      </Button>
    </span>
  );
}

interface RenameDialogProps {
  readonly member: MemberConnection;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

/** Changes the reseller's reference for a member. */
function RenameDialog({ member, onClose, onRenamed }: RenameDialogProps) {
  const t = useTexts(resellerTexts);
  const { memberUserId, memberName } = member;
  const [externalId, setExternalId] = useState(member.externalId);
  const action = useAction(async () => api.renameMember({ path: { memberUserId }, body: { externalId } }), {
    toast: t.renamed,
    onDone: () => {
      onClose();
      onRenamed();
    },
  });
  const isTaken = action.error instanceof ItembridgeError && action.error.code === 'REFERENCE_TAKEN';
  return (
    <Dialog title={t.renameOf(memberName)} onClose={onClose} isBusy={action.isPending}>
      <p class="muted">{t.renameText}</p>
      <Form onSubmit={action.run}>
        <TextField
          label={t.newReference}
          value={externalId}
          onInput={setExternalId}
          lengthMax={255}
          problem={isTaken ? t.taken : problemOf(action.error, 'externalId')}
        />
        <ErrorNote error={isTaken ? undefined : action.error} />
        <FormButtons onClose={onClose} isPending={action.isPending}>
          {t.rename}
        </FormButtons>
      </Form>
    </Dialog>
  );
}
