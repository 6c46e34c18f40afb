import { useDomainLabel } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Facts } from '../../ui/facts.tsx';
import { Card } from '../../ui/page.tsx';
import { flattenAttributes } from './flatten-attributes.ts';
import { itemTexts } from './texts.ts';

/** The domain, and its attributes under the names that they were pushed with. */
export function Attributes({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }) {
  const t = useTexts(itemTexts);
  const labelOf = useDomainLabel();
  const { domain } = attributes;
  // Pushed without one, an item belongs to this one.
  const slug = typeof domain === 'string' ? domain : 'other';
  const lines = flattenAttributes(attributes).map(({ name, value }) => ({ label: name, value }));
  return (
    <Card>
      <Facts facts={[{ label: t.domain, value: labelOf(slug) }, ...lines]} />
    </Card>
  );
}
