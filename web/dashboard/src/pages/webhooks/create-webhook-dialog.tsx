import { useState } from 'preact/hooks';
import type { NewWebhook, WebhookWithSecret } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useRepeatable } from '../../api/use-repeatable.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Form } from '../../ui/form.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { bodyOf, lacksEventTypes, newDraft } from '../../webhooks/webhook-draft.ts';
import { WebhookFields } from '../../webhooks/webhook-fields.tsx';
import { webhooksTexts } from './texts.ts';

interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}

export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const t = useTexts(webhooksTexts);
  const ui = useTexts(uiTexts);
  const [draft, setDraft] = useState(newDraft);
  const [isTried, setTried] = useState(false);
  const create = useRepeatable(async (body: NewWebhook, headers) => (await api.createWebhook({ body, headers })).data);
  const action = useAction(create, { onDone: onCreated });
  return (
    <Dialog title={t.create} onClose={onClose} isBusy={action.isPending}>
      <Form
        onSubmit={() => {
          setTried(true);
          if (!lacksEventTypes(draft)) action.run(bodyOf(draft));
        }}
      >
        <WebhookFields draft={draft} onChange={setDraft} error={action.error} isTried={isTried} />
        <ErrorNote error={action.error} />
        <div class="dialog-actions">
          <Button onClick={onClose} isDisabled={action.isPending}>
            {ui.cancel}
          </Button>
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.createDo}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
