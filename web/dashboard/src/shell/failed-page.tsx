import { useTexts } from '../i18n/define-texts.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { shellTexts } from './texts.ts';

/** The code of a page could not be loaded: the network failed, or the service was upgraded. */
export function FailedPage() {
  const t = useTexts(shellTexts);
  return (
    <Page title={t.failed}>
      <div>
        <Button
          onClick={() => {
            location.reload();
          }}
        >
          {t.reload}
        </Button>
      </div>
    </Page>
  );
}

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
