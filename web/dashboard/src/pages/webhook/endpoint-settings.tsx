import { useState } from 'preact/hooks';
import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { bodyOf, draftOf, lacksEventTypes } from '../../webhooks/webhook-draft.ts';
import { WebhookFields } from '../../webhooks/webhook-fields.tsx';
import { webhookTexts } from './texts.ts';

interface EndpointSettingsProps {
  readonly endpoint: Webhook;
  readonly onChanged: () => void;
}

export function EndpointSettings({ endpoint, onChanged }: EndpointSettingsProps) {
  const t = useTexts(webhookTexts);
  const [draft, setDraft] = useState(draftOf(endpoint));
  const [isTried, setTried] = useState(false);
  const save = useAction(async () => api.updateWebhook({ path: { id: endpoint.id }, body: bodyOf(draft) }), {
    toast: t.saved,
    onDone: onChanged,
  });
  return (
    <Section title={t.settings}>
      <Card>
        <Form
          onSubmit={() => {
            setTried(true);
            if (!lacksEventTypes(draft)) save.run();
          }}
        >
          <WebhookFields draft={draft} onChange={setDraft} error={save.error} isTried={isTried} />
          {draft.scope !== endpoint.scope && (
            <Notice tone="wait" isNews>
              <p>{t.scopeNote}</p>
            </Notice>
          )}
          <ErrorNote error={save.error} />
          <div class="row">
            <Button isSubmit isPending={save.isPending}>
              {t.save}
            </Button>
          </div>
        </Form>
      </Card>
    </Section>
  );
}
