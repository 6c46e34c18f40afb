import { useTexts } from '../../i18n/define-texts.ts';
import { Card, Section } from '../../ui/page.tsx';
import { resellerTexts } from './texts.ts';

/** For an account that is neither: what there is, and how to get there. */
export function NoReseller() {
  const t = useTexts(resellerTexts);
  return (
    <Section title={t.none} lead={t.noneText}>
      <Card>
        <div>
          <h3>{t.becomeMember}</h3>
          <p>{t.becomeMemberText}</p>
        </div>
        <div>
          <h3>{t.becomeReseller}</h3>
          <p>{t.becomeResellerText}</p>
        </div>
      </Card>
    </Section>
  );
}
