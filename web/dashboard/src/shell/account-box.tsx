import { signOut, type SignedInAccount } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { shellTexts } from './texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import './account-box.css';

/** Who is signed in, how the page looks, and the way out. */
export function AccountBox({ account }: { readonly account: SignedInAccount }) {
  const t = useTexts(shellTexts);
  const leaving = useAction(signOut);
  return (
    <div class="account-box">
      <div>
        <p class="account-name">{account.name}</p>
        <p class="muted small">{account.email}</p>
      </div>
      <div class="row">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <Button onClick={leaving.run} isPending={leaving.isPending}>
        {t.signOut}
      </Button>
      <ErrorNote error={leaving.error} />
    </div>
  );
}
