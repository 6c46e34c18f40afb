import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { connectionTexts } from './texts.ts';

export function Disconnect({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(connectionTexts);
  return (
    <div class="row">
      <ConfirmButton
        kind="danger"
        title={t.disconnectTitle}
        body={
          <div class="stack">
            {t.disconnectBody.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        }
        toast={t.disconnected}
        onConfirm={async () => api.disconnectMarketplace()}
        onDone={onDone}
      >
        {t.disconnect}
      </ConfirmButton>
    </div>
  );
}
