import type { Webhook } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { endpointState } from '../../webhooks/endpoint-state.ts';
import { tellDeliveryFailure } from '../../words/delivery-failures.ts';
import { webhookTexts } from './texts.ts';

interface EndpointNoticeProps {
  readonly endpoint: Webhook;
  readonly onChanged: () => void;
}

/** Why nothing is sent, or soon won't be, and what to do about it. */
export function EndpointNotice({ endpoint, onChanged }: EndpointNoticeProps) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const enable = useAction(async () => api.updateWebhook({ path: { id: endpoint.id }, body: { active: true } }), {
    toast: t.enabled,
    onDone: onChanged,
  });
  const state = endpointState(endpoint);
  const { failCount, lastError, disabledAt, autoRecover } = endpoint;
  if (state === 'working') return null;
  if (state === 'warned' || state === 'failing')
    return (
      <Notice tone={state === 'warned' ? 'bad' : 'wait'} {...(state === 'warned' && { title: t.isWarned })}>
        <p>{t.isWarnedLead(format.number(failCount))}</p>
        <LastError text={lastError} />
      </Notice>
    );
  const isDisabled = state === 'disabled';
  return (
    <>
      <Notice
        tone={isDisabled ? 'bad' : 'wait'}
        title={isDisabled ? t.isDisabled : t.isPaused}
        actions={
          <Button kind="primary" onClick={enable.run} isPending={enable.isPending}>
            {t.enable}
          </Button>
        }
      >
        {disabledAt !== null && (
          <p>
            <Time at={disabledAt} />
          </p>
        )}
        <p>{isDisabled ? t.isDisabledLead : t.isPausedLead}</p>
        {isDisabled && <LastError text={lastError} />}
        <p>{autoRecover ? t.afterEnabling : t.afterEnablingNot}</p>
      </Notice>
      <ErrorNote error={enable.error} />
    </>
  );
}

function LastError({ text }: { readonly text: string | null }) {
  const t = useTexts(webhookTexts);
  const language = useLanguage();
  if (text === null) return null;
  return (
    <p>
      {t.lastError} {tellDeliveryFailure(text, language)}.
    </p>
  );
}
