import { tellRemark } from '../../../../../client/files/english.ts';
import type { FileRemark } from '../../../../../client/files/file-findings.ts';
import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Notice } from '../../ui/notice.tsx';
import { tellFieldProblem } from '../../words/field-problems.ts';
import { fieldLabel, remarkTexts } from './finding-texts.ts';
import { sendFileTexts } from './texts.ts';

/** A sentence for each remark on the file. */
export function RemarkTexts({ remarks }: { readonly remarks: readonly FileRemark[] }) {
  const texts = useTexts(remarkTexts);
  return (
    <>
      {remarks.map((remark) => (
        <p key={remark.kind}>{tellRemark(texts, remark)}</p>
      ))}
    </>
  );
}

/** What many lines have in common, told once. Draws nothing where there is nothing to say. */
export function LineRemarks({ remarks }: Pick<BulkSync, 'remarks'>) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const language = useLanguage();
  if (remarks.length === 0) return null;
  return (
    <Notice tone="wait">
      {remarks.map(({ field, line, count, ...told }) => (
        <p key={`${field} ${line}`}>
          <strong>{fieldLabel(field, language)}</strong> {tellFieldProblem(told, language)} (
          {count === 1 ? t.onLine(format.number(line)) : t.onLines(format.number(count), format.number(line))})
        </p>
      ))}
    </Notice>
  );
}

interface LeftOutProps extends Pick<BulkSync, 'leftOutFields'> {
  /** Above the fields: what becomes of them, or became. */
  readonly lead: string;
}

/** Fields that lines have nothing for although their items have them. Draws nothing without any. */
export function LeftOutFields({ leftOutFields, lead }: LeftOutProps) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const language = useLanguage();
  if (leftOutFields.length === 0) return null;
  return (
    <Notice tone="wait">
      <p>{lead}</p>
      <ul class="small">
        {leftOutFields.map(({ field, lines }) => (
          <li key={field}>
            <strong>{fieldLabel(field, language)}</strong>: {t.onSoManyLines(format.number(lines))}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
