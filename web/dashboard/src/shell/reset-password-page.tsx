import { useState } from 'preact/hooks';
import { withoutSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from '../ui/button.tsx';
import { problemOf } from '../ui/describe-problem.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import { NewPasswordField } from '../ui/new-password-field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Entrance } from './entrance.tsx';
import { useLinkToken } from './link-token.ts';
import { forgottenPath, signInPath } from './next-page.ts';
import { signInTexts } from './sign-in-texts.ts';

/** Where the link of a mail leads. A session of this browser ends too, which its next call finds out. */
export function ResetPasswordPage() {
  const t = useTexts(signInTexts);
  const token = useLinkToken();
  const [newPassword, setNewPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => withoutSession.resetPassword({ body: { token, newPassword } }), {
    onDone: () => {
      setDone(true);
    },
  });
  const isDead = problemOf(action.error, 'token') !== undefined;
  return (
    <Entrance title={t.resetTitle} lead={t.resetLead} footer={<a href={signInPath}>{t.backToSignIn}</a>}>
      {isDone && (
        <Notice tone="ok" title={t.resetDone} isNews>
          {t.resetDoneBody}
        </Notice>
      )}
      {isDead && (
        <Notice tone="bad" title={t.deadLink} isNews>
          {t.deadResetBody} <a href={forgottenPath}>{t.newLink}</a>
        </Notice>
      )}
      {!isDone && !isDead && (
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
