import type { Order } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import type { ButtonKind } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { stepsFrom, type OrderStatus } from './order-steps.ts';
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

/** Off first, on last: the main button stands last. */
const offStepFirst: readonly OrderStatus[] = ['cancelled', 'completed', 'paid'];

/** The steps that the order can take now, each asked about before it is taken. */
export function OrderActions({ order: { id, status, amount, net }, onChange }: OrderActionsProps) {
  const t = useTexts(ordersTexts);
  const format = useFormat();
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
            onConfirm={async () => api.updateOrder({ path: { id }, body: { status: step } })}
            onDone={onChange}
          >
            {of.name}
          </ConfirmButton>
        );
      })}
    </>
  );
}
