import { useState } from 'preact/hooks';
import { withoutSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Entrance } from './entrance.tsx';
import { signInPath, withNext } from './next-page.ts';
import { signInTexts } from './sign-in-texts.ts';

/** Says the same whether the address has an account or not, as the service does. */
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
