import { api } from '../../api/api.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { resellerTexts } from './texts.ts';
import './reseller.css';

interface MembershipProps {
  /** Of the reseller. */
  readonly name: string;
  readonly since: string | null;
  readonly onLeft: () => void;
}

/** For a member: whose, what that means, and the way out. */
export function Membership({ name, since, onLeft }: MembershipProps) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  return (
    <Section title={`${t.memberOf} ${name}`}>
      <Card>
        <Facts facts={[{ label: t.since, value: since && format.day(since) }]} />
        <div class="stack">
          <h3>{t.whatItMeans}</h3>
          <ul class="reseller-list">
            {t.means.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
        <div>
          <ConfirmButton
            kind="danger"
            title={t.leaveTitle(name)}
            body={<p>{t.leaveText}</p>}
            toast={t.left}
            onConfirm={async () => api.leaveReseller()}
            onDone={onLeft}
          >
            {t.leave}
          </ConfirmButton>
        </div>
      </Card>
    </Section>
  );
}
