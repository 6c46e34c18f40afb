import { useFormat } from '../i18n/format.ts';

/** An amount in SEK; öre are shown when there are some. */
export function Money({ sek }: { readonly sek: number }) {
  return <span class="numbers">{useFormat().money(sek)}</span>;
}
