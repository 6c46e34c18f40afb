import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { navigate } from '../../routing/location.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { webhookTexts } from './texts.ts';

interface EndpointActionsProps {
  readonly endpoint: Webhook;
  readonly onChanged: () => void;
}

/** What concerns the endpoint as a whole. Enabling stands where it is said why it is off. */
export function EndpointActions({ endpoint: { id, active }, onChanged }: EndpointActionsProps) {
  const t = useTexts(webhookTexts);
  return (
    <>
      <ConfirmButton
        isOffered={active}
        title={t.pauseTitle}
        body={t.pauseBody}
        toast={t.paused}
        onConfirm={async () => api.updateWebhook({ path: { id }, body: { active: false } })}
        onDone={onChanged}
      >
        {t.pause}
      </ConfirmButton>
      <ConfirmButton
        kind="danger"
        title={t.removeTitle}
        body={t.removeBody}
        toast={t.removed}
        onConfirm={async () => api.deleteWebhook({ path: { id } })}
        onDone={() => {
          navigate('/dashboard/webhooks', { isReplacement: true });
        }}
      >
        {t.remove}
      </ConfirmButton>
    </>
  );
}
