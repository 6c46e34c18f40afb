import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { securityTexts } from './texts.ts';
import { NewPasswordField } from '../../ui/new-password-field.tsx';

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
