import { useState } from 'preact/hooks';
import { ItembridgeError } from '../../../../client/itembridge-error.ts';
import { withoutSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from '../ui/button.tsx';
import { problemOf } from '../ui/describe-problem.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Entrance } from './entrance.tsx';
import { useLinkToken } from './link-token.ts';
import { signInTexts } from './sign-in-texts.ts';

/** Where the link of a mail leads. It asks for a click, because programs that scan mails open every link. */
export function ConfirmEmailPage() {
  const t = useTexts(signInTexts);
  const token = useLinkToken();
  const [isDone, setDone] = useState(false);
  const action = useAction(async () => withoutSession.confirmEmail({ body: { token } }), {
    onDone: () => {
      setDone(true);
    },
  });
  return (
    <Entrance title={t.confirmTitle} lead={t.confirmLead} footer={<a href="/dashboard">{t.toDashboard}</a>}>
      {isDone ? (
        <Notice tone="ok" title={t.confirmed} isNews />
      ) : (
        <Form onSubmit={action.run}>
          <ConfirmProblem error={action.error} />
          <Button kind="primary" isSubmit isPending={action.isPending}>
            {t.confirm}
          </Button>
        </Form>
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
