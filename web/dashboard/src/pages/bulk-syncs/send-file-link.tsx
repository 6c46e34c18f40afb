import { useTexts } from '../../i18n/define-texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { bulkSyncsTexts } from './texts.ts';

/** To the page where a file is sent by hand, for the member that is looked at. */
export function SendFileLink({ member }: { readonly member: string | undefined }) {
  const t = useTexts(bulkSyncsTexts);
  const query = member === undefined ? '' : `?${new URLSearchParams({ member }).toString()}`;
  return (
    <LinkButton kind="primary" href={`/dashboard/bulk-syncs/new${query}`}>
      {t.sendFile}
    </LinkButton>
  );
}
