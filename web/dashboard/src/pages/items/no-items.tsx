import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { useMember } from '../../shell/member-choice.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-field.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { firstItemCommand } from '../keys/first-item-command.ts';
import { noFilters } from './item-filters.ts';
import { itemsTexts } from './texts.ts';

/** In place of the list: what to do so that there is something in it. */
export function NoItems({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useTexts(itemsTexts);
  const member = useMember();
  const [, setQuery] = useQuery();
  if (isFiltered)
    return (
      <Empty
        title={t.noneFit}
        actions={
          <Button
            onClick={() => {
              setQuery(noFilters);
            }}
          >
            {t.clear}
          </Button>
        }
      >
        <p>{t.noneFitHelp}</p>
      </Empty>
    );
  if (member !== undefined)
    return (
      <Empty title={t.noneOfMember}>
        <p>{t.noneOfMemberHelp}</p>
      </Empty>
    );
  return <PushTheFirst />;
}

function PushTheFirst() {
  const t = useTexts(itemsTexts);
  const command = firstItemCommand(location.origin, 'sk_live_…');
  return (
    <Empty
      title={t.none}
      actions={
        <>
          <LinkButton kind="primary" href="/dashboard/keys">
            {t.toKeys}
          </LinkButton>
          <CopyButton value={command} label="curl" />
          <ExternalLink href="/docs/">{t.toReference}</ExternalLink>
        </>
      }
    >
      <p>{t.noneHelp}</p>
      <pre tabIndex={0}>{command}</pre>
      <p class="muted small">{t.noneKey}</p>
    </Empty>
  );
}
