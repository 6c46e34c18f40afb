import { useState } from 'preact/hooks';
import type { WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useRepeatable } from '../../api/use-repeatable.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DeliveryNews } from '../../webhooks/delivery-news.tsx';
import { deliveryPageTexts } from './texts.ts';

interface RedeliverProps {
  /** Of the attempt whose event is sent again. */
  readonly id: string;
  readonly purpose: NonNullable<WebhookDeliveryDetails['delivery']>['purpose'];
}

export function Redeliver({ id, purpose }: RedeliverProps) {
  const t = useTexts(deliveryPageTexts);
  const [madeId, setMadeId] = useState<string>();
  const redeliver = useRepeatable(async (path: { readonly id: string }, headers) =>
    api.redeliverWebhookDelivery({ path, headers }),
  );
  return (
    <div class="stack">
      <div class="row">
        <ConfirmButton
          title={t.againTitle}
          body={t.againBody}
          onConfirm={async () => {
            const { data } = await redeliver({ id });
            if ('deliveryId' in data) setMadeId(data.deliveryId);
          }}
        >
          {t.again}
        </ConfirmButton>
      </div>
      {madeId !== undefined && (
        <DeliveryNews key={madeId} deliveryId={madeId} attemptsMax={purpose === 'test' ? 1 : 5} />
      )}
    </div>
  );
}
