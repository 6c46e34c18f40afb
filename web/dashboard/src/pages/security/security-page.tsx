import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useAction } from '../../api/use-action.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, NewPasswordField } from '../../ui/form.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { NoticesSection } from './notices-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { securityTexts } from './texts.ts';

/** Password, email address, and open sessions of the account. */
export function SecurityPage() {
  const t = useTexts(securityTexts);
  const sessions = useResource(async (signal) => (await api.listSessions({ signal })).data.sessions, {
    pollMs: restingMs,
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

export function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const t = useTexts(securityTexts);
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useAction(async () => api.changePassword({ body: { oldPassword, newPassword } }), {
    toast: t.changed,
    onDone: () => {
      setOld('');
      setNew('');
      onChanged();
    },
  });
  const isOldWrong = problemOf(change.error, 'oldPassword') !== undefined;
  return (
    <Section title={t.password} lead={t.passwordLead}>
      <Card>
        <Form onSubmit={change.run}>
          <TextField
            label={t.oldPassword}
            type="password"
            autocomplete="current-password"
            lengthMax={128}
            value={oldPassword}
            problem={isOldWrong ? t.wrongOld : undefined}
            onInput={setOld}
          />
          <NewPasswordField
            label={t.newPassword}
            hint={t.newPasswordHint}
            value={newPassword}
            problem={problemOf(change.error, 'newPassword')}
            onInput={setNew}
          />
          {!isOldWrong && <ErrorNote error={change.error} />}
          <div class="row">
            <Button kind="primary" isSubmit isPending={change.isPending}>
              {t.change}
            </Button>
          </div>
        </Form>
      </Card>
    </Section>
  );
}

export function EmailSection() {
  const t = useTexts(securityTexts);
  const me = useMe();
  return (
    <Section title={t.email} lead={me === undefined ? t.emailLead : t.emailLeadOf(me.email)}>
      {me !== undefined && !me.emailConfirmed && <Unconfirmed />}
      <Card>
        <EmailForm />
      </Card>
    </Section>
  );
}

function Unconfirmed() {
  const t = useTexts(securityTexts);
  const send = useAction(async () => api.sendEmailConfirmation(), { toast: t.linkSent });
  return (
    <Notice tone="info" title={t.unconfirmed}>
      <p>{t.unconfirmedBody}</p>
      <ErrorNote error={send.error} />
      <Button isPending={send.isPending} onClick={send.run}>
        {t.sendAgain}
      </Button>
    </Notice>
  );
}

function EmailForm() {
  const t = useTexts(securityTexts);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const change = useAction(async () => api.changeEmail({ body: { email, password } }), {
    toast: t.linkSentTo(email),
    onDone: () => {
      setEmail('');
      setPassword('');
    },
  });
  const isWrong = problemOf(change.error, 'password') !== undefined;
  return (
    <Form onSubmit={change.run}>
      <TextField
        label={t.newEmail}
        hint={t.newEmailHint}
        type="email"
        autocomplete="email"
        value={email}
        problem={problemOf(change.error, 'email')}
        onInput={setEmail}
      />
      <TextField
        label={t.passwordOfAccount}
        type="password"
        autocomplete="current-password"
        lengthMax={128}
        value={password}
        problem={isWrong ? t.wrongOld : undefined}
        onInput={setPassword}
      />
      {!isWrong && <ErrorNote error={change.error} />}
      <div class="row">
        <Button kind="primary" isSubmit isPending={change.isPending}>
          {t.changeEmail}
        </Button>
      </div>
    </Form>
  );
}
