import { useState } from 'preact/hooks';
import type { WebhookTestWish } from '../../../../../client/generated/types.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { useRepeatable } from '../../api/use-repeatable.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { DeliveryNews } from '../../webhooks/delivery-news.tsx';
import { eventTexts } from '../../webhooks/event-texts.ts';
import { eventTypes, type EventType } from '../../webhooks/event-types.ts';
import type { Target } from './target.ts';
import { webhookTexts } from './texts.ts';

/** Tests are sent once, without retries. */
const testAttemptsMax = 1;

interface TestSectionProps {
  readonly target: Target;
  readonly onSent: () => void;
}

export function TestSection({ target, onSent }: TestSectionProps) {
  const t = useTexts(webhookTexts);
  const words = useTexts(eventTexts);
  const [type, setType] = useState<EventType | ''>('');
  const [deliveryId, setDeliveryId] = useState<string>();
  const send = useRepeatable(async (body: WebhookTestWish, headers) => target.sendTest(body, headers));
  const action = useAction(send, {
    onDone: (made) => {
      setDeliveryId(made.deliveryId);
      onSent();
    },
  });
  return (
    <Section title={t.test} lead={t.testLead}>
      <Card>
        <Form
          onSubmit={() => {
            setDeliveryId(undefined);
            action.run(type === '' ? {} : { eventType: type });
          }}
        >
          <SelectField
            label={t.testType}
            value={type}
            choices={[
              { value: '', label: t.testPlain },
              ...eventTypes.map((one) => ({ value: one, label: `${words[one]} (${one})` })),
            ]}
            onChange={setType}
          />
          <div class="row">
            <Button isSubmit isPending={action.isPending}>
              {t.sendTest}
            </Button>
          </div>
          <ErrorNote error={action.error} />
          {deliveryId !== undefined && (
            <DeliveryNews key={deliveryId} deliveryId={deliveryId} attemptsMax={testAttemptsMax} />
          )}
        </Form>
      </Card>
    </Section>
  );
}
