import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { signIn } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Entrance } from './entrance.tsx';
import { forgottenPath, registerPath, withNext } from './next-page.ts';
import { signInTexts } from './sign-in-texts.ts';

export function SignInPage() {
  const t = useTexts(signInTexts);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(signIn);
  return (
    <Entrance
      title={t.signIn}
      lead={t.signInLead}
      footer={
        <>
          {t.toRegister} <a href={withNext(registerPath)}>{t.register}</a>
        </>
      }
    >
      <Form
        onSubmit={() => {
          action.run({ email, password });
        }}
      >
        <TextField label={t.email} type="email" name="email" autocomplete="username" value={email} onInput={setEmail} />
        <TextField
          label={t.password}
          type="password"
          name="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
        />
        <SignInProblem error={action.error} />
        <Button kind="primary" isSubmit isPending={action.isPending}>
          {t.signIn}
        </Button>
        <a href={withNext(forgottenPath)}>{t.forgotten}</a>
      </Form>
    </Entrance>
  );
}

function SignInProblem({ error }: { readonly error: unknown }) {
  const t = useTexts(signInTexts);
  if (error instanceof ItembridgeError && error.status === 401) return <Notice tone="bad" title={t.wrong} isNews />;
  return <ErrorNote error={error} />;
}
