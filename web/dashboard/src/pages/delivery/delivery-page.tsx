import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import type { WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { movingMs, restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useParam } from '../../routing/router.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { DeliveryTable } from '../../webhooks/delivery-table.tsx';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';
import { AttemptFacts } from './attempt-facts.tsx';
import { DeliveryStateNotice } from './delivery-state-notice.tsx';
import { Redeliver } from './redeliver.tsx';
import { SentAndAnswered } from './sent-and-answered.tsx';
import { deliveryPageTexts } from './texts.ts';

export function DeliveryPage() {
  const t = useTexts(deliveryPageTexts);
  const id = useParam('id');
  const details = useResource(async (signal) => (await api.getWebhookDelivery({ path: { id }, signal })).data, {
    on: [id],
    pollMs: ({ delivery }) => (delivery?.state === 'pending' ? movingMs : restingMs),
    shows: [{ kind: 'deliveries' }],
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
