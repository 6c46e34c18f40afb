import { useState } from 'preact/hooks';
import type { OrderWithBuyer } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ordersTexts } from './texts.ts';

interface ShippingFormProps {
  readonly order: Pick<OrderWithBuyer, 'id' | 'shipping'>;
  readonly onChange: () => void;
}

/** Says that the order was sent, or corrects what was said. */
export function ShippingForm({ order: { id, shipping }, onChange }: ShippingFormProps) {
  const t = useTexts(ordersTexts);
  const [carrier, setCarrier] = useState(shipping.carrier ?? '');
  const [trackingNumber, setTrackingNumber] = useState(shipping.trackingNumber ?? '');
  const action = useAction(
    async () =>
      api.updateOrder({
        path: { id },
        body: { shipping: { carrier: orNull(carrier), trackingNumber: orNull(trackingNumber) } },
      }),
    { toast: t.isShipped, onDone: onChange },
  );
  return (
    <section aria-labelledby="shipping">
      <h3 id="shipping">{t.shipping}</h3>
      <Form onSubmit={action.run}>
        <TextField
          label={t.carrier}
          hint={t.carrierHint}
          value={carrier}
          onInput={setCarrier}
          lengthMax={100}
          problem={problemOf(action.error, 'shipping.carrier')}
        />
        <TextField
          label={t.trackingNumber}
          hint={t.trackingHint}
          value={trackingNumber}
          onInput={setTrackingNumber}
          lengthMax={100}
          problem={problemOf(action.error, 'shipping.trackingNumber')}
        />
        <ErrorNote error={action.error} />
        <Button isSubmit isPending={action.isPending}>
          {shipping.shippedAt === null ? t.ship : t.correct}
        </Button>
      </Form>
    </section>
  );
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
