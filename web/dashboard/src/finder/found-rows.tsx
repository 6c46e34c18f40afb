import type { ComponentChildren } from 'preact';
import type { SearchAnswer } from '../../../../client/generated/types.gen.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { itemPath } from '../pages/items/item-path.ts';
import { StatusBadges } from '../pages/items/status-badges.tsx';
import { OrderStatusBadge } from '../pages/orders/order-table.tsx';
import { Badge } from '../ui/icon.tsx';
import { Money, Time } from '../ui/facts.tsx';
import { EventName } from '../webhooks/event-name.tsx';
import { finderTexts } from './texts.ts';

/** A result and the address of its page. */
export interface FoundRow {
  readonly href: string;
  readonly name: ComponentChildren;
  readonly about: ComponentChildren;
}

export interface FoundGroup {
  readonly kind: 'items' | 'orders' | 'deliveries' | 'members';
  readonly rows: readonly FoundRow[];
}

/** The results by kind; kinds without results are left out. */
export function groupsOf(
  { items, orders, deliveries, members }: SearchAnswer,
  member: string | undefined,
): readonly FoundGroup[] {
  const titles = new Map(items.map(({ externalId, title }) => [externalId, title]));
  const nameOf = (externalId: string): string => titles.get(externalId) || externalId;
  const groups: readonly FoundGroup[] = [
    {
      kind: 'items',
      rows: items.map((item) => ({
        href: itemPath(item.externalId, member),
        name: nameOf(item.externalId),
        about: (
          <>
            <code>{item.externalId}</code> <StatusBadges item={item} />
          </>
        ),
      })),
    },
    {
      kind: 'orders',
      rows: orders.map(({ id, externalId, amount, soldAt, status }) => ({
        href: `/dashboard/orders?order=${encodeURIComponent(id)}`,
        name: nameOf(externalId),
        about: (
          <>
            <code>{externalId}</code> · <Money sek={amount} /> · <Time at={soldAt} />{' '}
            <OrderStatusBadge status={status} />
          </>
        ),
      })),
    },
    {
      kind: 'deliveries',
      rows: deliveries.map((delivery) => ({
        href: `/dashboard/deliveries/${encodeURIComponent(delivery.id)}`,
        name: <EventName type={delivery.eventType} />,
        about: (
          <>
            <code>{delivery.externalId}</code> · <Time at={delivery.createdAt} /> <Outcome status={delivery.status} />
          </>
        ),
      })),
    },
    {
      kind: 'members',
      rows: members.map(({ memberName, externalId }) => ({
        href: `/dashboard/items?member=${encodeURIComponent(externalId)}`,
        name: memberName,
        about: <code>{externalId}</code>,
      })),
    },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function Outcome({ status }: { readonly status: 'success' | 'failed' }) {
  const t = useTexts(finderTexts);
  return <Badge tone={status === 'success' ? 'ok' : 'bad'}>{t.delivered[status]}</Badge>;
}
