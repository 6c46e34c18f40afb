import { useState } from 'preact/hooks';
import { planColumns, type ColumnWish } from '../../../../../client/files/columns.ts';
import { tellRemark } from '../../../../../client/files/english.ts';
import { FileProblem } from '../../../../../client/files/file-findings.ts';
import { itemLines, type ItemFile, type ItemLines } from '../../../../../client/files/item-file.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { rivalOf, suggestChoices, wishOf, type ColumnChoice } from './column-choices.ts';
import { ColumnsSection } from './columns-section.tsx';
import { FileTrouble } from './file-trouble.tsx';
import { remarkTexts } from './finding-texts.ts';
import type { OpenedFile } from './open-file.ts';
import { SendSection } from './send-section.tsx';

interface SendOpenedProps {
  /** Of the file. */
  readonly name: string;
  readonly opened: OpenedFile;
}

/** A file that can be read: its columns, and what is done with it. */
export function SendOpened({ name, opened }: SendOpenedProps) {
  const { content, samples } = opened;
  const [choices, setChoices] = useState<readonly ColumnChoice[]>(() =>
    content.format === 'csv' ? suggestChoices(content.header) : [],
  );
  const [set, setSet] = useState<Readonly<Record<string, string>>>({});
  const wish = wishOf(choices, set);
  const isAmbiguous = choices.some((choice) => rivalOf(choices, choice) !== undefined);
  const read = readBy(content, wish);
  return (
    <>
      {content.format === 'csv' && (
        <ColumnsSection name={name} samples={samples} {...{ choices, setChoices, set, setSet }} />
      )}
      {'problem' in read ? <FileTrouble error={read.problem} /> : <Remarks remarks={read.remarks} />}
      {!('problem' in read) && !isAmbiguous && (
        <SendSection
          key={JSON.stringify(wish)}
          name={name}
          content={content}
          columns={columnsOf(content, wish)}
          {...read}
        />
      )}
    </>
  );
}

type Reading = ItemLines | { readonly problem: FileProblem };

function readBy(content: ItemFile, wish: ColumnWish): Reading {
  try {
    return itemLines(content, wish);
  } catch (error) {
    if (error instanceof FileProblem) return { problem: error };
    throw error;
  }
}

const columnsOf = (content: ItemFile, wish: ColumnWish) =>
  content.format === 'csv' ? planColumns(content.header, wish).columns : [];

/** What is left out stands among the columns already. */
function Remarks({ remarks }: Pick<ItemLines, 'remarks'>) {
  const texts = useTexts(remarkTexts);
  const told = remarks.filter(({ kind }) => kind !== 'columnLeftOut');
  if (told.length === 0) return null;
  return (
    <Notice tone="info">
      {told.map((remark) => (
        <p key={remark.kind}>{tellRemark(texts, remark)}</p>
      ))}
    </Notice>
  );
}
