import { useState } from 'preact/hooks';
import type { Column } from '../../../../../client/files/columns.ts';
import { tellFinding } from '../../../../../client/files/english.ts';
import { errorFile } from '../../../../../client/files/error-file.ts';
import {
  explainReports,
  type ExplainedProblem,
  type ExplainedReport,
} from '../../../../../client/files/explain-reports.ts';
import { FileProblem, type FileRemark } from '../../../../../client/files/file-findings.ts';
import type { ItemFile, ItemLines } from '../../../../../client/files/item-file.ts';
import type { BulkSyncCheck } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction, useRepeatable } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { navigate } from '../../routing/location.ts';
import { memberQuery, useMember } from '../../shell/member-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Badge } from '../../ui/icon.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Table, type Column as TableColumn } from '../../ui/table.tsx';
import { tellFieldProblem } from '../../words/field-problems.ts';
import { tellLineError } from '../../words/refusals.ts';
import { LeftOutFields, LineRemarks, RemarkTexts } from './check-notes.tsx';
import { findingTexts } from './finding-texts.ts';
import { blobOf } from './open-file.ts';
import { sendFileTexts } from './texts.ts';

interface SendSectionProps extends Pick<ItemLines, 'lines' | 'noted'> {
  readonly name: string;
  readonly content: ItemFile;
  readonly columns: readonly Column[];
}

/** The result of a check, and the checked content: exactly that is sent afterwards. */
interface Trial {
  readonly member: string | undefined;
  readonly sent: Blob;
  readonly check: BulkSyncCheck;
  /** What the rows of the file have shown. */
  readonly noted: readonly FileRemark[];
  /** A file with columns keeps what it has nothing for; a line of JSON replaces its item. */
  readonly keeps: boolean;
  readonly reports: readonly ExplainedReport[];
}

/** Checks first, then sends. */
export function SendSection({ name, content, columns, lines, noted }: SendSectionProps) {
  const t = useTexts(sendFileTexts);
  const member = useMember();
  const [trial, setTrial] = useState<Trial>();
  const tryOut = useAction(
    async (): Promise<Trial> => {
      const sent = await blobOf(lines(), 'application/x-ndjson');
      const keeps = content.format === 'csv';
      const leftOut = keeps ? 'keep' : 'empty';
      const query = { ...memberQuery(member), leftOut, validateOnly: true } as const;
      const { data } = await api.createPartnerBulkSync({ body: sent, query });
      if (!('errors' in data)) throw new Error('the answer to a trial has no errors');
      const found = { check: data, noted: noted(), keeps };
      return { member, sent, ...found, reports: await collect(explainReports(content, columns, data.errors)) };
    },
    { onDone: setTrial },
  );
  const keep = useAction(async (errors: BulkSyncCheck['errors']) => {
    const isCsv = content.format === 'csv';
    const file = await blobOf(errorFile(content, columns, errors), isCsv ? 'text/csv' : 'application/x-ndjson');
    saveFile(file, `${name}.errors.${isCsv ? 'csv' : 'ndjson'}`);
  });
  return (
    <Section title={t.send} lead={t.sendLead}>
      <div class="row">
        <Button kind={trial === undefined ? 'primary' : 'secondary'} isPending={tryOut.isPending} onClick={tryOut.run}>
          {t.tryOut}
        </Button>
      </div>
      <FileTrouble error={tryOut.error} />
      {trial !== undefined && trial.member === member && !tryOut.isPending && tryOut.error === undefined && (
        <>
          <Outcome {...trial} />
          <div class="row">
            {trial.reports.length > 0 && (
              <Button
                isPending={keep.isPending}
                onClick={() => {
                  keep.run(trial.check.errors);
                }}
              >
                {t.saveErrors}
              </Button>
            )}
          </div>
          <Send {...trial} />
          <FileTrouble error={keep.error} />
          {trial.reports.length > 0 && <ReportTable reports={trial.reports} isList={content.format === 'json'} />}
        </>
      )}
    </Section>
  );
}

function Outcome({ check: { total, failed, warned, repeated, remarks }, noted }: Trial) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const tone = failed > 0 ? 'bad' : warned > 0 ? 'wait' : 'ok';
  return (
    <>
      <Notice tone={tone} title={t.tried(format.number(total), format.number(failed))} isNews>
        {warned > 0 && <p>{t.warned(format.number(warned))}</p>}
        {repeated > 0 && <p>{t.repeated(format.number(repeated))}</p>}
        {failed > 0 && <p>{t.failedStay}</p>}
        <RemarkTexts remarks={noted} />
      </Notice>
      <LineRemarks remarks={remarks} />
    </>
  );
}

/** Empties nothing unless the person has seen how much, and says so. */
function Send({ member, sent, keeps, check: { total, failed, leftOutFields } }: Trial) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const [empties, setEmpties] = useState(false);
  const post = useRepeatable(async (query: { member?: string; leftOut?: 'keep' }, headers) => {
    const { data } = await api.createPartnerBulkSync({ body: sent, query, headers });
    return data;
  });
  const query = { ...memberQuery(member), ...(keeps && !empties && { leftOut: 'keep' as const }) };
  const send = useAction(async () => post(query), {
    toast: t.taken,
    onDone: (data) => {
      if ('id' in data) navigate(`/dashboard/bulk-syncs/${data.id}`);
    },
  });
  if (total === failed) return null;
  return (
    <>
      <LeftOutFields leftOutFields={leftOutFields} lead={keeps ? t.wouldBeKept : t.wouldBeEmptied} />
      {keeps && leftOutFields.length > 0 && (
        <CheckField label={t.emptyThem} hint={t.emptyThemHint} isChecked={empties} onChange={setEmpties} />
      )}
      <div class="row">
        <Button kind="primary" isPending={send.isPending} onClick={send.run}>
          {t.sendNow(format.number(total - failed))}
        </Button>
      </div>
      <FileTrouble error={send.error} />
    </>
  );
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

interface ReportTableProps {
  readonly reports: readonly ExplainedReport[];
  /** A JSON list, whose values are counted instead of lines. */
  readonly isList: boolean;
}

/** The problems of lines, with the names that the file uses. */
function ReportTable({ reports, isList }: ReportTableProps) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const columns: readonly TableColumn<ExplainedReport>[] = [
    {
      id: 'line',
      header: isList ? t.item : t.line,
      isName: true,
      cell: ({ report: { line } }) => `${isList ? t.item : t.line} ${format.number(line)}`,
    },
    { id: 'id', header: t.externalId, cell: ({ report }) => <span class="code">{report.externalId ?? '–'}</span> },
    {
      id: 'severity',
      header: t.severity,
      cell: ({ report: { severity } }) => (
        <Badge tone={severity === 'error' ? 'bad' : 'wait'}>{t.severities[severity]}</Badge>
      ),
    },
    { id: 'what', header: t.what, cell: (explained) => <What {...explained} /> },
  ];
  return <Table caption={t.reports} columns={columns} rows={reports} idOf={({ report: { line } }) => String(line)} />;
}

function What({ report, problems }: ExplainedReport) {
  const language = useLanguage();
  if (problems.length === 0) return <>{tellLineError(report.code, language)}</>;
  return (
    <ul class="small">
      {problems.map((problem) => (
        <li key={`${problem.field} ${problem.message}`}>
          <Problem {...problem} />
        </li>
      ))}
    </ul>
  );
}

function Problem(problem: ExplainedProblem) {
  const { field, column, value, kind } = problem;
  const t = useTexts(sendFileTexts);
  const language = useLanguage();
  return (
    <>
      <strong>{column ?? field}</strong> {value !== undefined && <q>{value}</q>}{' '}
      {kind === 'asTold' ? tellFieldProblem(problem, language) : t.wrongForms[kind]}
    </>
  );
}

/** Why a file can't be read as items, or another error. undefined draws nothing. */
export function FileTrouble({ error }: { readonly error: unknown }) {
  const t = useTexts(sendFileTexts);
  const texts = useTexts(findingTexts);
  if (!(error instanceof FileProblem)) return <ErrorNote error={error} />;
  return (
    <Notice tone="bad" title={t.unreadable} isNews>
      <p>{tellFinding(texts, error.finding)}</p>
    </Notice>
  );
}
