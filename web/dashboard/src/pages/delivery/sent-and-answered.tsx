import type { WebhookDeliveryDetails } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { CopyButton } from '../../ui/copy-field.tsx';
import { Section } from '../../ui/page.tsx';
import { readSentBody } from './read-sent-body.ts';
import { deliveryPageTexts } from './texts.ts';
import './sent-and-answered.css';

export function SentAndAnswered({ details: { request, response } }: { readonly details: WebhookDeliveryDetails }) {
  const t = useTexts(deliveryPageTexts);
  const { body } = request;
  return (
    <>
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
