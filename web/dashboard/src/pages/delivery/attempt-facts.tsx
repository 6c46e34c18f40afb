import type { Webhook, WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { useMe } from '../../api/me.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { CopyButton } from '../../ui/copy-field.tsx';
import { Facts, Time } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';
import { deliveryTexts, ReceiverOf } from '../../webhooks/delivery-table.tsx';
import { EventName } from '../../webhooks/event-name.tsx';
import { tellBeyondStatus } from '../../words/delivery-failures.ts';
import { itemPath } from '../items/item-path.ts';
import { readSentBody } from './read-sent-body.ts';
import './sent-and-answered.css';
import { deliveryPageTexts } from './texts.ts';

interface AttemptFactsProps {
  readonly details: WebhookDeliveryDetails;
  readonly endpoints: readonly Webhook[] | undefined;
}

export function AttemptFacts({ details, endpoints }: AttemptFactsProps) {
  const t = useTexts(deliveryPageTexts);
  const words = useTexts(deliveryTexts);
  const format = useFormat();
  const language = useLanguage();
  const { eventType, endpointId, createdAt, attempt, durationMs, httpStatus, errorMessage, delivery } = details;
  const purpose = delivery?.purpose;
  const more = tellBeyondStatus(errorMessage, language);
  return (
    <Facts
      facts={[
        { label: t.event, value: <EventName type={eventType} /> },
        { label: t.item, value: <ItemLink details={details} /> },
        { label: t.receiver, value: <ReceiverOf endpointId={endpointId} endpoints={endpoints} /> },
        { label: t.when, value: <Time at={createdAt} hasSeconds /> },
        { label: t.attempt, value: format.number(attempt) },
        { label: t.status, value: httpStatus === null ? t.noAnswer : words.status(String(httpStatus)) },
        { label: t.took, value: words.tookMs(format.number(durationMs)) },
        { label: t.error, value: more },
        { label: t.purpose, value: purpose === undefined ? null : t.purposes[purpose] },
        { label: t.eventId, value: <code>{details.eventId}</code> },
        { label: t.deliveryId, value: <code>{details.deliveryId}</code> },
      ]}
    />
  );
}

/** Opens a member's item as that member's. Without the body its owner is unknown. */
function ItemLink({ details: { externalId, request } }: { readonly details: WebhookDeliveryDetails }) {
  const me = useMe();
  const sent = request.body === null ? undefined : readSentBody(request.body);
  if (sent?.ownerId === undefined || sent.isTest || me === undefined) return <span>{externalId}</span>;
  return <a href={itemPath(externalId, sent.ownerId === me.id ? undefined : sent.ownerId)}>{externalId}</a>;
}

/** The signatures are of this body alone: nothing else can be signed with them. */
function SentHeaders({ headers }: { readonly headers: WebhookDeliveryDetails['request']['headers'] }) {
  const t = useTexts(deliveryPageTexts);
  const text = Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return (
    <Section
      title={t.sentHeaders}
      lead={text === '' ? t.headersUnknown : t.headersLead}
      {...(text !== '' && { actions: <CopyButton value={text} label={t.sentHeaders} /> })}
    >
      {text !== '' && (
        <pre class="sent-text" tabIndex={0} role="region" aria-label={t.sentHeaders}>
          {text}
        </pre>
      )}
    </Section>
  );
}

export function SentAndAnswered({ details: { request, response } }: { readonly details: WebhookDeliveryDetails }) {
  const t = useTexts(deliveryPageTexts);
  const { body } = request;
  return (
    <>
      <SentHeaders headers={request.headers} />
      <Section
        title={t.sent}
        lead={body === null ? t.sentGone : t.sentLead}
        {...(body !== null && { actions: <CopyButton value={body} label={t.sent} /> })}
      >
        {body !== null && (
          <pre class="sent-text" tabIndex={0} role="region" aria-label={t.sent}>
            {readSentBody(body).text}
          </pre>
        )}
      </Section>
      <Section title={t.answered} lead={response === null || response === '' ? t.answeredNothing : t.answeredLead}>
        {response !== null && response !== '' && (
          <pre class="sent-text" tabIndex={0} role="region" aria-label={t.answered}>
            {response}
          </pre>
        )}
      </Section>
    </>
  );
}
