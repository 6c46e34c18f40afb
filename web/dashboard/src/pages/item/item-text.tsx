import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Card, Section } from '../../ui/page.tsx';
import { itemTexts } from './texts.ts';

/** The description as buyers read it; when the service improved it, also what was pushed. */
export function ItemText({ item: { description, original } }: { readonly item: PartnerItem }) {
  const t = useTexts(itemTexts);
  return (
    <Section title={t.description}>
      <Card>
        <p class={description === '' ? 'muted' : 'item-text'}>{description === '' ? t.noDescription : description}</p>
        {original !== undefined && (
          <details>
            <summary>{t.original}</summary>
            <p class="item-text">
              <strong>{original.title}</strong>
            </p>
            <p class="item-text">{original.description}</p>
          </details>
        )}
      </Card>
    </Section>
  );
}
