import { useState } from 'preact/hooks';
import type { WebhookTestWish } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction, useRepeatable } from '../../api/use-action.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { DeliveryNews } from '../../webhooks/delivery-news.tsx';
import { DeliveryTable } from '../../webhooks/delivery-table.tsx';
import { useEndpoints } from '../../webhooks/endpoints.tsx';
import { eventTexts } from '../../webhooks/event-name.tsx';
import { eventTypes, type EventType } from '../../webhooks/event-types.ts';
import type { Target } from './target.ts';
import { webhookTexts } from './texts.ts';

interface TargetProps {
  readonly target: Target;
}

/** The log of a target, and the test below it. */
export function TestAndLog({ target }: TargetProps) {
  return (
    <>
      <RecentDeliveries target={target} />
      <TestSection target={target} />
    </>
  );
}

/** Tests are sent once, without retries. */
const testAttemptsMax = 1;

function TestSection({ target }: TargetProps) {
  const t = useTexts(webhookTexts);
  const words = useTexts(eventTexts);
  const [type, setType] = useState<EventType | ''>('');
  const [deliveryId, setDeliveryId] = useState<string>();
  const send = useRepeatable(async (body: WebhookTestWish, headers) => target.sendTest(body, headers));
  const action = useAction(send, {
    onDone: (made) => {
      setDeliveryId(made.deliveryId);
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

const shownMax = 8;

function RecentDeliveries({ target: { logId } }: TargetProps) {
  const t = useTexts(webhookTexts);
  const endpoints = useEndpoints();
  const log = useResource(
    async (signal) =>
      (await api.listWebhookDeliveries({ query: { endpointId: logId, limit: shownMax }, signal })).data.deliveries,
    {
      on: [logId],
      pollMs: watchedMs,
    },
  );
  return (
    <Section
      title={t.recent}
      actions={
        <LinkButton href={`/dashboard/deliveries?endpointId=${encodeURIComponent(logId)}`}>
          {t.allDeliveries}
        </LinkButton>
      }
    >
      <Loaded resource={log}>
        {(list) =>
          list.length === 0 ? (
            <p class="muted">{t.noDeliveries}</p>
          ) : (
            <DeliveryTable deliveries={list} endpoints={endpoints.data} isOfOneEndpoint />
          )
        }
      </Loaded>
    </Section>
  );
}
