import type { WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import { deliveryPageTexts } from './texts.ts';

type Delivery = NonNullable<WebhookDeliveryDetails['delivery']>;

const tones: Readonly<Record<Delivery['state'], NoticeTone>> = {
  pending: 'wait',
  succeeded: 'ok',
  given_up: 'bad',
  held: 'wait',
  stopped: 'info',
};

/** How all of the delivery stands, which is more than this attempt. null: no longer kept. */
export function DeliveryStateNotice({ delivery }: { readonly delivery: Delivery | null }) {
  const t = useTexts(deliveryPageTexts);
  if (delivery === null) return null;
  const { state } = delivery;
  return (
    <Notice key={state} tone={tones[state]} title={t.states[state]}>
      <p>{t.stateLeads[state]}</p>
    </Notice>
  );
}
