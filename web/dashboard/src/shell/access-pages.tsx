import { useState } from 'preact/hooks';
import type { AccessGrant, LinkOutcome } from '../../../../client/generated/types.gen.ts';
import { withoutSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from '../ui/button.tsx';
import { problemOf } from '../ui/describe-problem.ts';
import { Form } from '../ui/form.tsx';
import { ErrorNote, Notice } from '../ui/notice.tsx';
import { accessTexts } from './access-texts.ts';
import { Entrance } from './entrance.tsx';
import { forgottenPath } from './next-page.ts';
import { useLinkToken } from './use-link-token.ts';

/** What a link of a mail took back, and what still acts for the account, with the offer to take that back too. */
export function AccessNotices({ outcome }: { readonly outcome: LinkOutcome | undefined }) {
  const t = useTexts(accessTexts);
  if (outcome === undefined) return null;
  const { revoked, active, revocationToken } = outcome;
  return (
    <>
      {revoked.length > 0 && (
        <Notice tone="info" title={t.revokedUnconfirmed}>
          <Grants grants={revoked} />
        </Notice>
      )}
      {active.length > 0 && revocationToken !== null && (
        <Notice tone="info" title={t.active}>
          <Grants grants={active} />
          <RevokeForm token={revocationToken} lead={t.offer} />
        </Notice>
      )}
    </>
  );
}

function Grants({ grants }: { readonly grants: readonly AccessGrant[] }) {
  const t = useTexts(accessTexts);
  return (
    <ul>
      {grants.map(({ kind, name, isTest }, index) => (
        <li key={index}>{t.grant[kind](name) + (kind === 'webhook' && isTest ? t.inSandbox : '')}</li>
      ))}
    </ul>
  );
}

/** The page of the link in the mail after a reset. It needs a click, because programs that scan mails open every link. */
export function RevokeAccessPage() {
  const t = useTexts(accessTexts);
  const token = useLinkToken();
  return (
    <Entrance title={t.title} lead={t.lead} footer={<a href={forgottenPath}>{t.newPassword}</a>}>
      <RevokeForm token={token} />
    </Entrance>
  );
}

function RevokeForm({ token, lead }: { readonly token: string; readonly lead?: string }) {
  const t = useTexts(accessTexts);
  const [revoked, setRevoked] = useState<readonly AccessGrant[]>();
  const action = useAction(async () => withoutSession.revokeAccess({ body: { token } }), {
    onDone: ({ data }) => {
      setRevoked(data.revoked);
    },
  });
  if (revoked !== undefined)
    return (
      <Notice tone="ok" title={t.done} isNews>
        <Grants grants={revoked} />
      </Notice>
    );
  const isDead = problemOf(action.error, 'token') !== undefined;
  return (
    <Form onSubmit={action.run}>
      {lead !== undefined && <p>{lead}</p>}
      {isDead ? <Notice tone="bad" title={t.deadLink} isNews /> : <ErrorNote error={action.error} />}
      <Button kind="danger" isSubmit isPending={action.isPending}>
        {t.revoke}
      </Button>
    </Form>
  );
}
