import { useTexts } from '../../i18n/define-texts.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { OrderStatus } from './order-steps.ts';
import { ordersTexts } from './texts.ts';

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
