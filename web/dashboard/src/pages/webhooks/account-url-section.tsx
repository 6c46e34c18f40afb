import { useTexts } from '../../i18n/define-texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { webhooksTexts } from './texts.ts';

/**
 * The way to the account-level URL. Nothing of it is read here: the first who reads it is told its secret, and that should be somebody
 * who came for it.
 */
export function AccountUrlSection() {
  const t = useTexts(webhooksTexts);
  return (
    <Section
      title={t.accountUrl}
      lead={t.accountUrlLead}
      actions={<LinkButton href="/dashboard/webhooks/account">{t.change}</LinkButton>}
    >
      {null}
    </Section>
  );
}
