import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { NoticeTone } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { endpointName } from '../../webhooks/endpoints.tsx';
import { tellDeliveryFailure } from '../../words/delivery-failures.ts';
import { problemHelpTexts, problemTexts } from '../../words/problems.ts';
import { problemPath } from '../items/item-path.ts';
import { toldProblems } from './count-problems.ts';
import type { Standing } from './load-standing.ts';
import { overviewTexts } from './texts.ts';

interface AttentionProps {
  readonly standing: Standing;
  readonly draftCount: number;
  /** Orders that wait for payment, in SEK. */
  readonly unpaidSek: number;
  readonly showsSteps: boolean;
}

/** One task: a row of the card. */
interface Task {
  readonly id: string;
  readonly tone: NoticeTone;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly link: string;
}

/** Problems that only the account's owner can end, the gravest first; one row each. */
export function Attention(props: AttentionProps) {
  const t = useTexts(overviewTexts);
  return <TaskCard tasks={useTasks(props)} allWell={t.allWell} />;
}

interface TaskCardProps {
  readonly tasks: readonly Task[];
  /** Shown without tasks. */
  readonly allWell: string;
}

export function TaskCard({ tasks, allWell }: TaskCardProps) {
  const t = useTexts(overviewTexts);
  return (
    <Section title={t.attention}>
      {tasks.length === 0 ? (
        <p class="muted">{allWell}</p>
      ) : (
        <ul class="overview-tasks">
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const icons: Readonly<Record<NoticeTone, IconName>> = { info: 'info', ok: 'check', wait: 'info', bad: 'warning' };

function TaskRow({ task: { tone, title, text, href, link } }: { readonly task: Task }) {
  return (
    <li class={`overview-task overview-task-${tone}`}>
      <Icon name={icons[tone]} />
      <div class="overview-task-text">
        <p class="overview-task-title">{title}</p>
        <p class="small muted">{text}</p>
      </div>
      <LinkButton href={href}>{link}</LinkButton>
    </li>
  );
}

function useTasks(props: AttentionProps): readonly Task[] {
  return [...useConnectionTasks(props), ...useItemTasks(props), ...useWebhookTasks(props), ...useMoneyTasks(props)]
    .map((task, place) => ({ task, place }))
    .toSorted((one, other) => ranks[one.task.tone] - ranks[other.task.tone] || one.place - other.place)
    .map(({ task }) => task);
}

const ranks: Readonly<Record<NoticeTone, number>> = { bad: 0, wait: 1, info: 2, ok: 3 };

/** The first steps already say that there never was a connection. */
function useConnectionTasks({ standing: { connection }, showsSteps }: AttentionProps): readonly Task[] {
  const t = useTexts(overviewTexts);
  const to = { id: 'connection', tone: 'bad', href: '/dashboard/connection', link: t.connectShort } as const;
  if (connection?.state === 'expired') return [{ ...to, title: t.expired, text: t.expiredText }];
  return connection === null && !showsSteps ? [{ ...to, title: t.missing, text: t.missingText }] : [];
}

function useItemTasks({ standing, draftCount }: AttentionProps): readonly Task[] {
  const t = useTexts(overviewTexts);
  const { problems, connection } = standing;
  const problemTasks = useProblemTasks(problems);
  const itemCount = useItemCount();
  // A draft without pictures waits for its owner, and has its own row.
  const waiting = draftCount - (problems.find(({ kind }) => kind === 'images')?.drafts ?? 0);
  const states = '/dashboard/items?serviceStatus=';
  return [
    ...problemTasks,
    ...taskIf(waiting > 0, {
      id: 'drafts',
      tone: 'info',
      title: t.drafts(itemCount(waiting)),
      text: t.draftsText,
      href: `${states}draft`,
      link: t.show,
    }),
    // Without a connection nothing can be published, which another task says already.
    ...taskIf(standing.hasUnlisted && connection?.state === 'connected', {
      id: 'unlisted',
      tone: 'info',
      title: t.unlisted,
      text: t.unlistedText,
      href: `${states}active&marketplaceStatus=pending_sync`,
      link: t.show,
    }),
  ];
}

/** Each leads to the list of exactly those items. */
function useProblemTasks(problems: Standing['problems']): readonly Task[] {
  const t = useTexts(overviewTexts);
  const words = useTexts(problemTexts);
  const help = useTexts(problemHelpTexts);
  const itemCount = useItemCount();
  return problems.map(({ kind, count, hasMore }) => ({
    id: kind,
    tone: toldProblems[kind],
    title: `${words[kind]}: ${itemCount(count, hasMore)}`,
    text: help[kind],
    href: problemPath(kind),
    link: t.show,
  }));
}

function useWebhookTasks({ standing: { webhooks } }: AttentionProps): readonly Task[] {
  const t = useTexts(overviewTexts);
  const language = useLanguage();
  return webhooks.flatMap((webhook): readonly Task[] => {
    const { id, lastError, disabledReason, warning } = webhook;
    if (disabledReason === null && warning === null) return [];
    const isDisabled = disabledReason !== null;
    const why = lastError === null ? '' : ` (${tellDeliveryFailure(lastError, language)})`;
    const name = endpointName(webhook);
    return [
      {
        id,
        tone: isDisabled ? 'bad' : 'wait',
        title: isDisabled ? t.hookDisabled(name) : t.hookWarning(name),
        text: `${isDisabled ? t.hookDisabledText : t.hookWarningText}${why}.`,
        href: `/dashboard/webhooks/${id}`,
        link: t.show,
      },
    ];
  });
}

function useMoneyTasks({ standing: { subscription }, unpaidSek }: AttentionProps): readonly Task[] {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  return [
    ...taskIf(subscription.tier === 'pro' && !subscription.isPro, {
      id: 'late',
      tone: 'wait',
      title: t.late,
      text: t.lateText,
      href: '/dashboard/subscription',
      link: t.show,
    }),
    ...taskIf(unpaidSek > 0, {
      id: 'unpaid',
      tone: 'info',
      title: t.unpaid(format.money(unpaidSek)),
      text: t.unpaidText,
      href: '/dashboard/orders?status=pending',
      link: t.show,
    }),
  ];
}

const taskIf = (isThere: boolean, task: Task): readonly Task[] => (isThere ? [task] : []);

/** In the page's language: `1 artikel`, `3 artiklar`; when more exist than were counted, `fler än 3 artiklar`. */
function useItemCount(): (count: number, hasMore?: boolean) => string {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  return (count, hasMore = false) => {
    if (hasMore) return t.manyItems(format.number(count));
    return count === 1 ? t.oneItem : t.someItems(format.number(count));
  };
}
