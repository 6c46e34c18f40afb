import type { OrderBuyer as Buyer, OrderWithBuyer } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useCategoryName } from '../../api/categories.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource, type Resource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { memberQuery, useMember } from '../../shell/member-choice.tsx';
import { Dialog } from '../../ui/confirm-button.tsx';
import { Facts, Money, Time } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { itemPath } from '../items/item-path.ts';
import { OrderActions, ShippingForm } from './order-actions.tsx';
import { OrderStatusBadge, useOrderLink } from './order-table.tsx';
import { ordersTexts } from './texts.ts';

interface OrderDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  /** Called after a change of its status. */
  readonly onChange: () => void;
}

/** One order: amounts, state, and possible steps. */
export function OrderDialog({ id, onClose, onChange }: OrderDialogProps) {
  const t = useTexts(ordersTexts);
  const member = useMember();
  const order: Resource<OrderWithBuyer> = useResource(
    async (signal) => (await api.getOrder({ path: { id }, query: memberQuery(member), signal })).data,
    {
      on: [id, member],
      pollMs: watchedMs,
    },
  );
  const reload = (): void => {
    order.reload();
    onChange();
  };
  return (
    <Dialog
      title={order.data === undefined ? t.order : `${t.order}: ${order.data.externalId}`}
      onClose={onClose}
      actions={order.data && <OrderActions order={order.data} onChange={reload} />}
    >
      <Loaded resource={order}>
        {(known) => (
          <>
            <OrderFacts order={known} />
            {known.buyer && <OrderBuyer buyer={known.buyer} />}
            {known.status !== 'cancelled' && <ShippingForm order={known} onChange={reload} />}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function OrderFacts({ order }: { readonly order: OrderWithBuyer }) {
  const t = useTexts(ordersTexts);
  const format = useFormat();
  const nameOf = useCategoryName();
  const member = useMember();
  const { externalId, status, amount, fee, feeBps, net, soldAt, paidAt, completedAt, cancelledAt, shipping } = order;
  return (
    <>
      {order.conflictingOrderIds.length > 0 && <Conflict ids={order.conflictingOrderIds} />}
      <Facts
        facts={[
          {
            label: t.status,
            // The dialog would cover a toast.
            value: (
              <span aria-live="polite">
                <OrderStatusBadge status={status} />
              </span>
            ),
          },
          {
            label: t.item,
            value: <a href={itemPath(externalId, member)}>{externalId}</a>,
          },
          { label: t.category, value: nameOf(order.domain) },
          { label: t.platform, value: t.platforms[order.platform] },
          { label: t.auction, value: order.marketplaceAdId },
          { label: t.amount, value: <Money sek={amount} /> },
          { label: t.fee, value: t.feeOf(format.money(fee), format.percent(feeBps / 10_000)) },
          { label: t.net, value: <Money sek={net} /> },
          { label: t.soldAt, value: <Time at={soldAt} /> },
          { label: t.paidAt, value: paidAt && <Time at={paidAt} /> },
          { label: t.shippedAt, value: shipping.shippedAt && <Time at={shipping.shippedAt} /> },
          { label: t.carrier, value: shipping.carrier },
          { label: t.trackingNumber, value: shipping.trackingNumber },
          {
            label: t.shippingCost,
            value: shipping.cost !== null && (
              <>
                <Money sek={shipping.cost} /> {shipping.method}
              </>
            ),
          },
          { label: t.completedAt, value: completedAt && <Time at={completedAt} /> },
          { label: t.cancelledAt, value: cancelledAt && <Time at={cancelledAt} /> },
          { label: t.orderId, value: <span class="code small">{order.id}</span> },
        ]}
      />
    </>
  );
}

function Conflict({ ids }: { readonly ids: readonly string[] }) {
  const t = useTexts(ordersTexts);
  const hrefOf = useOrderLink();
  return (
    <Notice tone="bad" title={t.conflict}>
      <p>{t.conflictText}</p>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a class="code small" href={hrefOf(id)}>
              {id}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The buyer and the delivery address. */
function OrderBuyer({ buyer }: { readonly buyer: Buyer }) {
  const t = useTexts(ordersTexts);
  const { alias, name, email, phone, address, keptUntil } = buyer;
  const { line1, line2, postalCode, city, country } = address;
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  const lines = [address.name, line1, line2, place, country].filter((line) => line !== null && line !== '');
  return (
    <section aria-labelledby="buyer">
      <h3 id="buyer">{t.buyer}</h3>
      <Facts
        facts={[
          { label: t.buyerName, value: name },
          { label: t.alias, value: alias },
          { label: t.email, value: email && <a href={`mailto:${email}`}>{email}</a> },
          { label: t.phone, value: phone },
          {
            label: t.address,
            value: lines.map((line, index) => (
              <span key={line}>
                {index > 0 && <br />}
                {line}
              </span>
            )),
          },
          { label: t.keptUntil, value: <Time at={keptUntil} /> },
        ]}
      />
      <p class="muted small">{t.buyerNote}</p>
    </section>
  );
}
