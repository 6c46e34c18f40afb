import type { ExplainedProblem, ExplainedReport } from '../../../../../client/files/explain-reports.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { tellFieldProblem } from '../../words/field-problems.ts';
import { tellLineError } from '../../words/refusals.ts';
import { sendFileTexts } from './texts.ts';

interface ReportTableProps {
  readonly reports: readonly ExplainedReport[];
  /** Of a JSON list: its values are counted, not lines. */
  readonly isList: boolean;
}

/** What is wrong with which line, in the words of the file. */
export function ReportTable({ reports, isList }: ReportTableProps) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const columns: readonly Column<ExplainedReport>[] = [
    {
      ...{ id: 'line', header: isList ? t.item : t.line, isName: true },
      cell: ({ report: { line } }) => `${isList ? t.item : t.line} ${format.number(line)}`,
    },
    { id: 'id', header: t.externalId, cell: ({ report }) => <span class="code">{report.externalId ?? '–'}</span> },
    {
      ...{ id: 'severity', header: t.severity },
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

function Problem({ field, column, value, kind, message }: ExplainedProblem) {
  const t = useTexts(sendFileTexts);
  const language = useLanguage();
  return (
    <>
      <strong>{column ?? field}</strong> {value !== undefined && <q>{value}</q>}{' '}
      {kind === 'asTold' ? tellFieldProblem(message, language) : kind === 'notNumber' ? t.notNumber : t.notBoolean}
    </>
  );
}
