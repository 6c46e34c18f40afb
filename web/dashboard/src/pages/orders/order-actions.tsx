import { useState } from 'preact/hooks';
import type { Order, OrderWithBuyer } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { memberQuery, useMember } from '../../shell/member-choice.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { stepsFrom, type OrderStatus } from './order-fields.ts';
import { ordersTexts } from './texts.ts';

interface OrderActionsProps {
  readonly order: Order;
  readonly onChange: () => void;
}

interface StepWords {
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly done: string;
  readonly kind: ButtonKind;
}

/** The last step comes first, because the main button is the last one. */
const offStepFirst: readonly OrderStatus[] = ['cancelled', 'completed', 'paid'];

/** The steps that the order can take now; each needs a confirmation. */
export function OrderActions({ order: { id, status, amount, net }, onChange }: OrderActionsProps) {
  const t = useTexts(ordersTexts);
  const format = useFormat();
  const query = memberQuery(useMember());
  const words: Partial<Record<OrderStatus, StepWords>> = {
    paid: {
      name: t.toPaid,
      title: t.toPaidTitle,
      body: t.toPaidText(format.money(amount)),
      done: t.isPaid,
      kind: 'primary',
    },
    completed: {
      name: t.toCompleted,
      title: t.toCompletedTitle,
      body: t.toCompletedText(format.money(net)),
      done: t.isCompleted,
      kind: 'primary',
    },
    cancelled: {
      name: t.toCancelled,
      title: t.toCancelledTitle,
      body: t.toCancelledText,
      done: t.isCancelled,
      kind: 'danger',
    },
  };
  const steps = stepsFrom(status);
  return (
    <>
      {steps.length === 0 && <p class="muted small">{t.final}</p>}
      {offStepFirst.map((step) => {
        const of = words[step];
        if (of === undefined) return null;
        return (
          <ConfirmButton
            key={step}
            isOffered={steps.includes(step)}
            kind={of.kind}
            title={of.title}
            confirm={step === 'cancelled' ? t.yesCancel : of.name}
            body={<p>{of.body}</p>}
            toast={of.done}
            onConfirm={async () => api.updateOrder({ path: { id }, query, body: { status: step } })}
            onDone={onChange}
          >
            {of.name}
          </ConfirmButton>
        );
      })}
    </>
  );
}

interface ShippingFormProps {
  readonly order: Pick<OrderWithBuyer, 'id' | 'shipping'>;
  readonly onChange: () => void;
}

/** Marks the order as sent, or corrects the report. */
export function ShippingForm({ order: { id, shipping }, onChange }: ShippingFormProps) {
  const t = useTexts(ordersTexts);
  const query = memberQuery(useMember());
  const [carrier, setCarrier] = useState(shipping.carrier ?? '');
  const [trackingNumber, setTrackingNumber] = useState(shipping.trackingNumber ?? '');
  const action = useAction(
    async () =>
      api.updateOrder({
        path: { id },
        query,
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
