import { useState } from 'preact/hooks';
import type { LinkOutcome } from '../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { withoutSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { problemOf } from '../ui/describe-problem.ts';
import { TextField } from '../ui/field.tsx';
import { Form, NewPasswordField } from '../ui/form.tsx';
import { ErrorNote, Notice } from '../ui/notice.tsx';
import { AccessNotices } from './access-pages.tsx';
import { Entrance } from './entrance.tsx';
import { forgottenPath, signInPath, withNext } from './next-page.ts';
import { signInTexts } from './sign-in-texts.ts';
import { useLinkToken } from './use-link-token.ts';

/** Shows the same text whether or not the address has an account, like the service. */
export function ForgottenPasswordPage() {
  const t = useTexts(signInTexts);
  const language = useLanguage();
  const [email, setEmail] = useState('');
  const [askedFor, setAskedFor] = useState<string>();
  const action = useAction(async () => withoutSession.askForNewPassword({ body: { email, language } }), {
    onDone: () => {
      setAskedFor(email);
    },
  });
  return (
    <Entrance
      title={t.forgottenTitle}
      lead={t.forgottenLead}
      footer={<a href={withNext(signInPath)}>{t.backToSignIn}</a>}
    >
      {askedFor !== undefined && (
        <Notice tone="ok" title={t.linkSent} isNews>
          {t.linkSentBody(askedFor)}
        </Notice>
      )}
      <Form onSubmit={action.run}>
        <TextField label={t.email} type="email" name="email" autocomplete="username" value={email} onInput={setEmail} />
        <ErrorNote error={action.error} />
        <Button kind="primary" isSubmit isPending={action.isPending}>
          {t.sendLink}
        </Button>
      </Form>
    </Entrance>
  );
}

/** The page of a link in a mail. A session of this browser ends as well, which its next call notices. */
export function ResetPasswordPage() {
  const t = useTexts(signInTexts);
  const token = useLinkToken();
  const [newPassword, setNewPassword] = useState('');
  const [outcome, setOutcome] = useState<LinkOutcome>();
  const action = useAction(async () => withoutSession.resetPassword({ body: { token, newPassword } }), {
    onDone: ({ data }) => {
      setOutcome(data);
    },
  });
  const isDead = problemOf(action.error, 'token') !== undefined;
  return (
    <Entrance title={t.resetTitle} lead={t.resetLead} footer={<a href={signInPath}>{t.backToSignIn}</a>}>
      {outcome !== undefined && (
        <Notice tone="ok" title={t.resetDone} isNews>
          {t.resetDoneBody}
        </Notice>
      )}
      <AccessNotices outcome={outcome} />
      {isDead && (
        <Notice tone="bad" title={t.deadLink} isNews>
          {t.deadResetBody} <a href={forgottenPath}>{t.newLink}</a>
        </Notice>
      )}
      {outcome === undefined && !isDead && (
        <Form onSubmit={action.run}>
          <NewPasswordField
            label={t.newPassword}
            hint={t.newPasswordHint}
            name="password"
            value={newPassword}
            problem={problemOf(action.error, 'newPassword')}
            onInput={setNewPassword}
          />
          <ErrorNote error={action.error} />
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.save}
          </Button>
        </Form>
      )}
    </Entrance>
  );
}

/** The page of a link in a mail. It needs a click, because programs that scan mails open every link. */
export function ConfirmEmailPage() {
  const t = useTexts(signInTexts);
  const token = useLinkToken();
  const [outcome, setOutcome] = useState<LinkOutcome>();
  const action = useAction(async () => withoutSession.confirmEmail({ body: { token } }), {
    onDone: ({ data }) => {
      setOutcome(data);
    },
  });
  return (
    <Entrance title={t.confirmTitle} lead={t.confirmLead} footer={<a href="/dashboard">{t.toDashboard}</a>}>
      {outcome === undefined ? (
        <Form onSubmit={action.run}>
          <ConfirmProblem error={action.error} />
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.confirm}
          </Button>
        </Form>
      ) : (
        <>
          <Notice tone="ok" title={t.confirmed} isNews />
          <AccessNotices outcome={outcome} />
        </>
      )}
    </Entrance>
  );
}

function ConfirmProblem({ error }: { readonly error: unknown }) {
  const t = useTexts(signInTexts);
  if (problemOf(error, 'token') !== undefined)
    return (
      <Notice tone="bad" title={t.deadLink} isNews>
        {t.deadConfirmBody}
      </Notice>
    );
  if (error instanceof ItembridgeError && error.status === 409)
    return <Notice tone="bad" title={t.emailTaken} isNews />;
  return <ErrorNote error={error} />;
}
