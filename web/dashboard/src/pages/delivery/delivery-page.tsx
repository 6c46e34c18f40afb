import { useState } from 'preact/hooks';
import type { WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useRepeatable } from '../../api/use-action.ts';
import { restingMs, watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useParam } from '../../routing/router.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, Notice, type NoticeTone } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { DeliveryNews } from '../../webhooks/delivery-news.tsx';
import { DeliveryTable } from '../../webhooks/delivery-table.tsx';
import { useEndpoints } from '../../webhooks/endpoints.tsx';
import { AttemptFacts, SentAndAnswered } from './attempt-facts.tsx';
import { deliveryPageTexts } from './texts.ts';

export function DeliveryPage() {
  const t = useTexts(deliveryPageTexts);
  const id = useParam('id');
  const details = useResource(async (signal) => (await api.getWebhookDelivery({ path: { id }, signal })).data, {
    on: [id],
    pollMs: ({ delivery }) => (delivery === null ? undefined : lookMs[delivery.state]),
  });
  const isGone = details.error instanceof ItembridgeError && details.error.status === 404;
  return (
    <Page title={t.title} parent={{ href: '/dashboard/deliveries', label: t.parent }}>
      {isGone ? (
        <Empty title={t.gone} actions={<LinkButton href="/dashboard/deliveries">{t.toLog}</LinkButton>}>
          <p>{t.goneLead}</p>
        </Empty>
      ) : (
        <Loaded resource={details}>{(data) => <DeliveryBody details={data} />}</Loaded>
      )}
    </Page>
  );
}

function DeliveryBody({ details }: { readonly details: WebhookDeliveryDetails }) {
  const endpoints = useEndpoints().data;
  return (
    <>
      <DeliveryStateNotice delivery={details.delivery} />
      <AttemptFacts details={details} endpoints={endpoints} />
      <Redeliver id={details.id} purpose={details.delivery?.purpose} />
      <SentAndAnswered details={details} />
      <AllAttempts details={details} />
    </>
  );
}

function AllAttempts({ details: { id, deliveryId, delivery } }: { readonly details: WebhookDeliveryDetails }) {
  const t = useTexts(deliveryPageTexts);
  const attempts = useResource(
    async (signal) => (await api.listWebhookDeliveries({ query: { deliveryId }, signal })).data.deliveries,
    { on: [deliveryId, delivery?.attempts, delivery?.state] },
  );
  return (
    <Loaded resource={attempts}>
      {(list) =>
        list.some((one) => one.id !== id) && (
          <Section title={t.others}>
            <DeliveryTable deliveries={list} endpoints={undefined} isOfOneEndpoint />
          </Section>
        )
      }
    </Loaded>
  );
}

type Delivery = NonNullable<WebhookDeliveryDetails['delivery']>;

/** undefined: it stays so. */
const lookMs: Readonly<Record<Delivery['state'], number | undefined>> = {
  pending: watchedMs,
  held: restingMs,
  succeeded: undefined,
  given_up: undefined,
  stopped: undefined,
};

const tones: Readonly<Record<Delivery['state'], NoticeTone>> = {
  pending: 'wait',
  succeeded: 'ok',
  given_up: 'bad',
  held: 'wait',
  stopped: 'info',
};

/** The state of the whole delivery, beyond this attempt. null: no longer kept. */
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

interface RedeliverProps {
  /** Id of the attempt whose event is sent again. */
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
