import { useState } from 'preact/hooks';
import { useTexts } from '../../i18n/define-texts.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/copy-field.tsx';
import type { Target } from './target.ts';
import { webhookTexts } from './texts.ts';

interface SecretSectionProps {
  readonly target: Target;
  /** The present secret, masked. */
  readonly hint: string;
  readonly onRotated: () => void;
}

export function SecretSection({ target, hint, onRotated }: SecretSectionProps) {
  const t = useTexts(webhookTexts);
  const [secret, setSecret] = useState<string>();
  return (
    <Section title={t.secret} lead={t.secretLead}>
      {secret !== undefined && (
        <ShownOnce
          title={t.rotated}
          label={t.secret}
          value={secret}
          onSaved={() => {
            setSecret(undefined);
          }}
        />
      )}
      <Card>
        <Facts facts={[{ label: t.secretNow, value: <code>{hint}</code> }]} />
        <div class="row">
          <ConfirmButton
            kind="danger"
            title={t.rotateTitle}
            body={t.rotateBody}
            onConfirm={async () => {
              setSecret(await target.rotateSecret());
            }}
            onDone={onRotated}
          >
            {t.rotate}
          </ConfirmButton>
        </div>
      </Card>
    </Section>
  );
}
