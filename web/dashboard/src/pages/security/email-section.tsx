import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { securityTexts } from './texts.ts';

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
