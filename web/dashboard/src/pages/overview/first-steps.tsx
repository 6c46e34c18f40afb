import { api } from '../../api/api.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { navigate } from '../../routing/location.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { stepsOf, type Progress, type Step, type StepName } from './steps-left.ts';
import { overviewTexts } from './texts.ts';

interface StepWords {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly link: string;
}

/** For an account that does not sell yet: the steps, their order, and its progress. */
export function FirstSteps({ progress }: { readonly progress: Progress }) {
  const t = useTexts(overviewTexts);
  const words: Readonly<Record<StepName, StepWords>> = {
    key: { title: t.key, text: t.keyText, href: '/dashboard/keys', link: t.keyLink },
    push: { title: t.push, text: t.pushText, href: '/dashboard/items', link: t.pushLink },
    connect: { title: t.connect, text: t.connectText, href: '/dashboard/connection', link: t.connect },
    webhook: { title: t.webhook, text: t.webhookText, href: '/dashboard/webhooks', link: t.webhookLink },
  };
  return (
    <Section title={t.steps} lead={t.stepsLead}>
      <ol class="overview-steps">
        {stepsOf(progress).map((step) => (
          <StepRow key={step.name} step={step} words={words[step.name]} />
        ))}
      </ol>
    </Section>
  );
}

function StepRow({ step, words }: { readonly step: Step; readonly words: StepWords }) {
  const t = useTexts(overviewTexts);
  const { name, isDone, isNext } = step;
  return (
    <li
      class={classNames('overview-step', isDone && 'overview-step-done', isNext && 'overview-step-next')}
      aria-current={isNext ? 'step' : undefined}
    >
      <div class="overview-step-text">
        <h3>
          {words.title}
          {isDone && (
            <span class="overview-step-state">
              <Icon name="check" /> {t.stepDone}
            </span>
          )}
        </h3>
        <p class="muted small">{words.text}</p>
        {isNext && name === 'push' && (
          <details>
            <summary>{t.pushCode}</summary>
            <pre>{pushExample()}</pre>
          </details>
        )}
      </div>
      {!isDone && (
        <LinkButton href={words.href} kind={isNext ? 'primary' : 'secondary'}>
          {words.link}
        </LinkButton>
      )}
    </li>
  );
}

const pushExample = (): string => `curl -X PUT ${location.origin}/integration/v1/items/A-1001 \\
  -H "x-api-key: $ITEMBRIDGE_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{
    "title": "Bromsskiva fram, Volvo V70",
    "price": 349,
    "imageUrls": ["https://example.com/a-1001.jpg"],
    "autoPublishTradera": true
  }'`;

/** Shown after a payment. The address proves nothing: the plan is Pro once the processor has told the service. */
export function ThankYou() {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const { data } = useResource(async (signal) => (await api.getSubscription({ signal })).data, {
    pollMs: ({ isPro }) => (isPro ? undefined : watchedMs),
  });
  if (data?.isPro === true) {
    const { expiresAt } = data;
    const close = (): void => {
      navigate('/dashboard', { isReplacement: true });
    };
    return (
      <Notice tone="ok" title={t.thanks} isNews actions={<Button onClick={close}>{t.dismiss}</Button>}>
        <p>{expiresAt === null ? t.thanksNoDate : t.thanksText(format.day(expiresAt))}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="wait" title={t.waiting} isNews>
      <p>{t.waitingText}</p>
    </Notice>
  );
}
