import { useTexts } from '../i18n/define-texts.ts';
import { LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { shellTexts } from './texts.ts';

export function NotFoundPage() {
  const t = useTexts(shellTexts);
  return (
    <Page title={t.notFound} lead={t.notFoundLead}>
      <div>
        <LinkButton href="/dashboard">{t.toOverview}</LinkButton>
      </div>
    </Page>
  );
}
