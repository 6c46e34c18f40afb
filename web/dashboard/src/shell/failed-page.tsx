import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { shellTexts } from './texts.ts';

/**
 * The code of a page could not be loaded: the network failed, or the service was upgraded. Without a network the page
 * offers no reload, which would show the browser's own error page, and is loaded again when the network is back.
 */
export function FailedPage() {
  const t = useTexts(shellTexts);
  const [isOffline] = useState(!navigator.onLine);
  useEffect(() => {
    if (!isOffline) return undefined;
    const reload = (): void => location.reload();
    addEventListener('online', reload);
    return () => {
      removeEventListener('online', reload);
    };
  }, [isOffline]);
  if (isOffline)
    return (
      <Page title={t.offline} lead={t.offlineLead}>
        {null}
      </Page>
    );
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
