import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { startSession, useSession, type SignedInAccount } from '../api/session.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { navigate, usePlace } from '../routing/location.ts';
import { ErrorNote } from '../ui/notice.tsx';
import { Loading } from '../ui/loaded.tsx';
import { Entrance } from './entrance.tsx';
import { RevokeAccessPage } from './access-pages.tsx';
import { ConfirmEmailPage, ForgottenPasswordPage, ResetPasswordPage } from './mail-link-pages.tsx';
import {
  forgottenPath,
  isEntrance,
  isOfLink,
  nextPage,
  registerPath,
  resetPath,
  revokeAccessPath,
  signInPath,
  withNext,
} from './next-page.ts';
import { RegisterPage, SignInPage } from './sign-in-page.tsx';
import { shellTexts } from './texts.ts';

interface GateProps {
  /** What a signed-in person sees. */
  readonly children: (account: SignedInAccount) => ComponentChildren;
}

/**
 * Shows its children to signed-in people and the sign-in page to others; afterwards they return to the page that they
 * wanted.
 */
export function Gate({ children }: GateProps) {
  const t = useTexts(shellTexts);
  const session = useSession();
  const { path } = usePlace();
  const mustLeave = session.status === 'signed-in' && isEntrance(path);
  const mustSignIn = session.status === 'signed-out' && !isEntrance(path) && !isOfLink(path);
  useEffect(() => {
    if (mustLeave) navigate(nextPage(), { isReplacement: true });
    if (mustSignIn) navigate(withNext(signInPath), { isReplacement: true });
  }, [mustLeave, mustSignIn]);
  if (isOfLink(path)) return <PageOfLink path={path} />;
  if (session.status === 'opening' || mustLeave || mustSignIn) return <Loading />;
  if (session.status === 'unreachable')
    return (
      <Entrance title={t.unreachable} lead="" footer="">
        <ErrorNote error={session.error} onRetry={startSession} />
      </Entrance>
    );
  if (session.status === 'signed-in') return <>{children(session.account)}</>;
  if (path === registerPath) return <RegisterPage />;
  return path === forgottenPath ? <ForgottenPasswordPage /> : <SignInPage />;
}

function PageOfLink({ path }: { readonly path: string }) {
  if (path === revokeAccessPath) return <RevokeAccessPage />;
  return path === resetPath ? <ResetPasswordPage /> : <ConfirmEmailPage />;
}
