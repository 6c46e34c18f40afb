import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { waitWords } from '../../../../../features/operations/rules/wait-words.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useMember } from '../../shell/member-choice.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Ago, Time } from '../../ui/facts.tsx';
import { tellItemFailure } from '../../words/item-failures.ts';
import { problemHelpTexts, problemTexts } from '../../words/problems.ts';
import { isWorking } from './possible-actions.ts';
import { waitTexts } from './wait-texts.ts';

/** What the item waits for or failed at, since when, and what ends it. Empty when there is no problem. */
export function Standing({ item }: { readonly item: PartnerItem }) {
  const t = useTexts(waitTexts);
  const titles = useTexts(problemTexts);
  const help = useTexts(problemHelpTexts);
  const { processing, marketplaceStatus } = item;
  if (processing.waitingFor !== null) return <Waiting item={item} />;
  if (marketplaceStatus === 'sync_error')
    return (
      <Notice tone="bad" title={t.failed}>
        <LastProblem error={processing.lastError} />
      </Notice>
    );
  if (processing.lastError !== null)
    return (
      <Notice tone="wait" title={t.refused}>
        <LastProblem error={processing.lastError} />
      </Notice>
    );
  if (item.problem !== null)
    return (
      <Notice tone="wait" title={titles[item.problem]}>
        <p>{help[item.problem]}</p>
      </Notice>
    );
  return isWorking(item) ? <Notice tone="info" title={t.working} /> : null;
}

/** The account's owner ends these on another page; a reseller can't for its member. */
const endedByConnecting: ReadonlySet<string> = new Set(['marketplace_connection', 'marketplace_reconnection']);

function Waiting({ item: { processing } }: { readonly item: PartnerItem }) {
  const t = useTexts(waitTexts);
  const waits: Readonly<Record<string, string>> = useTexts(waitWords);
  const help: Readonly<Record<string, string>> = useTexts(problemHelpTexts);
  const format = useFormat();
  const member = useMember();
  const reason = processing.waitingFor ?? '';
  const since = processing.since ?? processing.updatedAt;
  const what: string = waits[reason] ?? t.other.what;
  return (
    <Notice
      tone="wait"
      title={`${t.waitsFor} ${what}.`}
      {...(endedByConnecting.has(reason) &&
        member === undefined && {
          actions: <LinkButton href="/dashboard/connection">{t.toConnection}</LinkButton>,
        })}
    >
      <p>{help[reason] ?? t.other.help}</p>
      <p class="small">
        {t.since} <Time at={since} /> (<Ago at={since} />)
        {processing.nextTryAt !== null && (
          <>
            {' · '}
            {t.nextTry} <Time at={processing.nextTryAt} />
          </>
        )}
        {processing.attempts > 0 && ` · ${t.attempts(format.number(processing.attempts))}`}
      </p>
      <LastProblem error={processing.lastError} />
    </Notice>
  );
}

function LastProblem({ error }: { readonly error: string | null }) {
  const t = useTexts(waitTexts);
  const language = useLanguage();
  if (error === null) return null;
  return (
    <p class="small">
      {t.lastProblem} {tellItemFailure(error, language)}
    </p>
  );
}
