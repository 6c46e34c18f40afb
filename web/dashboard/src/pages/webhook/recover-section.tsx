import { useState } from 'preact/hooks';
import type { WebhookRecovery } from '../../../../../client/generated/types.gen.ts';
import { useAction, useRepeatable } from '../../api/use-action.ts';
import { restingMs, watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Badge, type Tone } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { tellRecoveryStop } from '../../words/delivery-failures.ts';
import './recoveries-table.css';
import { sinceChoices, sinceOf, type SinceChoice } from './since.ts';
import type { Target } from './target.ts';
import { webhookTexts } from './texts.ts';

interface RecoverSectionProps {
  readonly target: Target;
  /** A disabled endpoint can be counted, but not recovered. */
  readonly isActive: boolean;
}

interface Counted {
  readonly since: string;
  readonly count: number;
}

/** Two steps: count the missed events, then send them. */
export function RecoverSection({ target, isActive }: RecoverSectionProps) {
  const t = useTexts(webhookTexts);
  const [choice, setChoice] = useState<SinceChoice>('days3');
  const [counted, setCounted] = useState<Counted>();
  const count = useAction(async (since: string) => ({ since, count: await target.countMissed(since) }), {
    onDone: setCounted,
  });
  const runs = useResource((signal) => target.recoveries(signal), {
    on: [target.logId],
    pollMs: (list) => (list.some(({ state }) => state === 'running') ? watchedMs : restingMs),
  });
  return (
    <Section title={t.recover} lead={t.recoverLead}>
      <Card>
        <Form
          onSubmit={() => {
            setCounted(undefined);
            count.run(sinceOf(choice, Date.now()));
          }}
        >
          <SelectField
            label={t.since}
            value={choice}
            choices={sinceChoices.map((one) => ({ value: one, label: t.sinceChoices[one] }))}
            onChange={(next) => {
              setChoice(next);
              setCounted(undefined);
            }}
          />
          <div class="row">
            <Button isSubmit isPending={count.isPending}>
              {t.count}
            </Button>
          </div>
        </Form>
        <ErrorNote error={count.error} />
        {counted !== undefined && (
          <CountedNote
            counted={counted}
            target={target}
            isActive={isActive}
            onBegun={() => {
              setCounted(undefined);
              runs.reload();
            }}
          />
        )}
      </Card>
      <Loaded resource={runs}>{(list) => list.length > 0 && <RecoveriesTable recoveries={list} />}</Loaded>
    </Section>
  );
}

interface CountedNoteProps extends RecoverSectionProps {
  readonly counted: Counted;
  readonly onBegun: () => void;
}

function CountedNote({ counted: { since, count }, target, isActive, onBegun }: CountedNoteProps) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const begin = useRepeatable(async (body: { readonly since: string }, headers) => target.recover(body, headers));
  const recover = useAction(begin, { toast: t.started, onDone: onBegun });
  if (count === 0) return <Notice tone="ok" title={t.nothingMissed} isNews />;
  return (
    <>
      <Notice
        tone="info"
        title={count === 1 ? t.wouldSendOne : t.wouldSend(format.number(count))}
        isNews
        {...(isActive && {
          actions: (
            <Button
              isPending={recover.isPending}
              onClick={() => {
                recover.run({ since });
              }}
            >
              {t.send}
            </Button>
          ),
        })}
      >
        <p>
          {t.sinceAt} <Time at={since} />
        </p>
        {!isActive && <p>{t.enableFirst}</p>}
      </Notice>
      <ErrorNote error={recover.error} />
    </>
  );
}

const tones: Readonly<Record<WebhookRecovery['state'], Tone>> = { running: 'wait', finished: 'ok', stopped: 'bad' };

function RecoveriesTable({ recoveries }: { readonly recoveries: readonly WebhookRecovery[] }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  const language = useLanguage();
  const columns: readonly Column<WebhookRecovery>[] = [
    { id: 'begun', header: t.begun, isName: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'kind', header: t.kind, cell: ({ kind }) => t.kinds[kind] },
    { id: 'since', header: t.sinceAt, cell: ({ since }) => <Time at={since} /> },
    {
      id: 'state',
      header: t.state,
      cell: ({ state, stoppedBecause }) => (
        <span>
          <Badge tone={tones[state]}>{t.states[state]}</Badge>
          {stoppedBecause !== null && <span class="small muted"> {tellRecoveryStop(stoppedBecause, language)}</span>}
        </span>
      ),
    },
    { id: 'progress', header: t.progress, isNumber: true, cell: (recovery) => <Progress recovery={recovery} /> },
    { id: 'failed', header: t.notTaken, isNumber: true, cell: ({ failed }) => format.number(failed) },
  ];
  return <Table caption={t.recoveries} columns={columns} rows={recoveries} idOf={({ id }) => id} />;
}

function Progress({ recovery: { state, sent, failed, total } }: { readonly recovery: WebhookRecovery }) {
  const t = useTexts(webhookTexts);
  const format = useFormat();
  return (
    <span class="recoveries-progress">
      {t.progressOf(format.number(sent), format.number(total))}
      {state === 'running' && total > 0 && (
        <progress max={total} value={Math.min(total, sent + failed)} aria-label={t.progress} />
      )}
    </span>
  );
}
