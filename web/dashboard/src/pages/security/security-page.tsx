import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Page } from '../../ui/page.tsx';
import { EmailSection } from './email-section.tsx';
import { NoticesSection } from './notices-section.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { securityTexts } from './texts.ts';

/** How people sign in to the account, and where they are signed in. */
export function SecurityPage() {
  const t = useTexts(securityTexts);
  const sessions = useResource(async (signal) => (await api.listSessions({ signal })).data.sessions, {
    pollMs: () => restingMs,
  });
  return (
    <Page title={t.title} lead={t.lead}>
      <SessionsSection sessions={sessions} />
      <EmailSection />
      <PasswordForm onChanged={sessions.reload} />
      <NoticesSection />
    </Page>
  );
}
