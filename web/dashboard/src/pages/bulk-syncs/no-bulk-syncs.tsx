import { useTexts } from '../../i18n/define-texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { bulkSyncsTexts } from './texts.ts';

/** How to send the first one. */
export function NoBulkSyncs({ isOfMember }: { readonly isOfMember: boolean }) {
  const t = useTexts(bulkSyncsTexts);
  const account = isOfMember ? ` --account ${t.reference}` : '';
  const header = isOfMember ? `  -H "x-partner-account: ${t.reference}" \\\n` : '';
  return (
    <Empty title={isOfMember ? t.noneMember : t.none}>
      <p>{t.noneText}</p>
      <pre tabIndex={0}>{`export ITEMBRIDGE_URL=${location.origin}
export ITEMBRIDGE_API_KEY=…
npx itembridge sync items.ndjson${account}`}</pre>
      <p>{t.noneCurl}</p>
      <pre tabIndex={0}>{`curl -X POST ${location.origin}/integration/v1/bulk-syncs \\
  -H "x-api-key: $ITEMBRIDGE_API_KEY" \\
${header}  -H "content-type: application/x-ndjson" \\
  --data-binary @items.ndjson`}</pre>
      <p class="muted">{t.noneHint}</p>
    </Empty>
  );
}
