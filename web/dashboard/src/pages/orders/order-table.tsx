import type { Order } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useDrawnPlace } from '../../routing/location.ts';
import { allMembersTexts } from '../../shell/all-members.tsx';
import { Money, Time } from '../../ui/facts.tsx';
import { Badge, type Tone } from '../../ui/icon.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { OrderStatus } from './order-fields.ts';
import { ordersTexts } from './texts.ts';

/** In a list of all members, with the owner's reference. */
export type OrderRow = Order & { readonly memberExternalId?: string };

export function OrderTable({ rows }: { readonly rows: readonly OrderRow[] }) {
  const t = useTexts(ordersTexts);
  const hrefOf = useOrderLink();
  const words = useTexts(allMembersTexts);
  const isOfAllMembers = rows.some(({ memberExternalId }) => memberExternalId !== undefined);
  const memberColumn: Column<OrderRow> = {
    id: 'member',
    header: words.member,
    cell: ({ memberExternalId }) => <span class="code">{memberExternalId}</span>,
  };
  const columns: readonly Column<OrderRow>[] = [
    {
      id: 'item',
      header: t.item,
      isName: true,
      cell: ({ id, externalId, title, memberExternalId }) => (
        <>
          <a
            class="code"
            href={memberExternalId === undefined ? hrefOf(id) : memberOrderPath(id, memberExternalId)}
            aria-label={t.openOrder(externalId)}
          >
            {externalId}
          </a>
          {title !== null && <div class="small">{title}</div>}
        </>
      ),
    },
    ...(isOfAllMembers ? [memberColumn] : []),
    {
      id: 'status',
      header: t.status,
      cell: ({ status, conflictingOrderIds }) => (
        <span class="row">
          <OrderStatusBadge status={status} />
          {conflictingOrderIds.length > 0 && <Badge tone="bad">{t.soldTwice}</Badge>}
        </span>
      ),
    },
    { id: 'soldAt', header: t.soldAt, cell: ({ soldAt }) => <Time at={soldAt} /> },
    { id: 'platform', header: t.platform, cell: ({ platform }) => t.platforms[platform] },
    { id: 'amount', header: t.amount, isNumber: true, cell: ({ amount }) => <Money sek={amount} /> },
    { id: 'fee', header: t.fee, isNumber: true, cell: ({ fee }) => <Money sek={fee} /> },
    { id: 'net', header: t.net, isNumber: true, cell: ({ net }) => <Money sek={net} /> },
  ];
  return <Table caption={t.title} columns={columns} rows={rows} idOf={({ id }) => id} />;
}

/** The address of an order where the reseller acts for its owner. */
const memberOrderPath = (order: string, member: string): string =>
  `/dashboard/orders?${new URLSearchParams({ member, order }).toString()}`;

/** The address of an order on top of the list with its present filters. */
export function useOrderLink(): (id: string) => string {
  const { path, search } = useDrawnPlace();
  return (id) => {
    const params = new URLSearchParams(search);
    params.set('order', id);
    return `${path}?${params.toString()}`;
  };
}

const tones: Readonly<Record<OrderStatus, Tone>> = {
  pending: 'wait',
  paid: 'info',
  completed: 'ok',
  cancelled: 'quiet',
};

export function OrderStatusBadge({ status }: { readonly status: OrderStatus }) {
  const t = useTexts(ordersTexts);
  return <Badge tone={tones[status]}>{t.statuses[status]}</Badge>;
}
