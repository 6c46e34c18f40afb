import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { register, signIn } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { problemOf } from '../ui/describe-problem.ts';
import { TextField } from '../ui/field.tsx';
import { Form, NewPasswordField } from '../ui/form.tsx';
import { ErrorNote, Notice } from '../ui/notice.tsx';
import { Entrance } from './entrance.tsx';
import { forgottenPath, registerPath, signInPath, withNext } from './next-page.ts';
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

export function RegisterPage() {
  const t = useTexts(signInTexts);
  return (
    <Entrance
      title={t.register}
      lead={t.registerLead}
      footer={
        <>
          {t.toSignIn} <a href={withNext(signInPath)}>{t.signIn}</a>
        </>
      }
    >
      <RegisterForm />
    </Entrance>
  );
}

function RegisterForm() {
  const t = useTexts(signInTexts);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const language = useLanguage();
  const action = useAction(register);
  return (
    <Form
      onSubmit={() => {
        action.run({ name, email, password, language });
      }}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        name="name"
        autocomplete="organization"
        lengthMax={120}
        value={name}
        problem={problemOf(action.error, 'name')}
        onInput={setName}
      />
      <TextField
        label={t.email}
        type="email"
        name="email"
        autocomplete="username"
        value={email}
        problem={problemOf(action.error, 'email')}
        onInput={setEmail}
      />
      <NewPasswordField
        label={t.password}
        hint={t.newPasswordHint}
        name="password"
        value={password}
        problem={problemOf(action.error, 'password')}
        onInput={setPassword}
      />
      <RegisterProblem error={action.error} />
      <Button kind="primary" isSubmit isPending={action.isPending}>
        {t.register}
      </Button>
    </Form>
  );
}

function RegisterProblem({ error }: { readonly error: unknown }) {
  const t = useTexts(signInTexts);
  if (error instanceof ItembridgeError && error.status === 409) return <Notice tone="bad" title={t.taken} isNews />;
  return <ErrorNote error={error} />;
}
