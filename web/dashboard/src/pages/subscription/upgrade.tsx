import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Notice } from '../../ui/notice.tsx';
import { subscriptionTexts } from './texts.ts';

/** To the page of the payment processor. The way back is the overview, which tells when the payment has been confirmed. */
export function Upgrade({ onLookAgain }: { readonly onLookAgain: () => void }) {
  const t = useTexts(subscriptionTexts);
  const checkout = useAction(async () => (await api.startCheckout()).data, {
    onDone: ({ url }) => {
      location.assign(url);
    },
  });
  const isNotEnded = checkout.error instanceof ItembridgeError && checkout.error.status === 409;
  const lookAgain = (): void => {
    checkout.clearError();
    onLookAgain();
  };
  return (
    <>
      <div class="row">
        <Button kind="primary" isPending={checkout.isPending} onClick={checkout.run}>
          {t.upgrade}
        </Button>
        <strong>{t.perMonth}</strong>
      </div>
      <p class="small muted">{t.upgradeText}</p>
      {isNotEnded ? (
        <Notice tone="wait" title={t.notEnded} isNews actions={<Button onClick={lookAgain}>{t.lookAgain}</Button>}>
          <p>{t.notEndedText}</p>
        </Notice>
      ) : (
        <ErrorNote error={checkout.error} />
      )}
    </>
  );
}
