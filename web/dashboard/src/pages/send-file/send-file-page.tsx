import { useRef, useState } from 'preact/hooks';
import { planColumns, type ColumnWish } from '../../../../../client/files/columns.ts';
import { FileProblem } from '../../../../../client/files/file-findings.ts';
import { itemLines, type ItemFile, type ItemLines } from '../../../../../client/files/item-file.ts';
import { useMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { MemberChoice } from '../../shell/member-choice.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import { Loading } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { rivalOf, suggestChoices, wishOf, type ColumnChoice } from './column-choices.ts';
import { ColumnsSection } from './columns-section.tsx';
import { RemarkTexts } from './check-notes.tsx';
import { bytesMax, numberIn, openPicked, type OpenedFile, type PickedFile } from './open-file.ts';
import { FileTrouble, SendSection } from './send-section.tsx';
import { sendFileTexts } from './texts.ts';

/** Sends a file of items by hand: pick it, map its columns, check it without effect, send it. */
export function SendFilePage() {
  const t = useTexts(sendFileTexts);
  const me = useMe();
  const [picked, setPicked] = useState<PickedFile>();
  return (
    <Page title={t.title} lead={t.lead} parent={{ href: '/dashboard/bulk-syncs', label: t.parent }}>
      <Section title={t.file}>
        <div class="form">
          {me?.reseller && <MemberChoice label={t.sendFor} />}
          <FileField picked={picked} onPick={setPicked} />
          {picked !== undefined && <Reading picked={picked} onChange={setPicked} />}
        </div>
      </Section>
      {picked !== undefined && picked.file.size <= bytesMax && <Opened picked={picked} />}
    </Page>
  );
}

interface ReadingProps {
  readonly picked: PickedFile;
  readonly onChange: (picked: PickedFile) => void;
}

/** How the file is read, where that is not found out. */
function Reading({ picked, onChange }: ReadingProps) {
  const t = useTexts(sendFileTexts);
  const change = (part: Partial<PickedFile>): void => {
    onChange({ ...picked, ...part });
  };
  return (
    <>
      <SelectField
        label={t.encoding}
        hint={t.encodingHint}
        value={picked.encoding}
        choices={[{ value: '', label: t.encodingAuto }, ...encodings.map((value) => ({ value, label: value }))]}
        onChange={(encoding) => {
          change({ encoding });
        }}
      />
      <TextField
        label={t.headerLine}
        hint={t.headerLineHint}
        isOptional
        value={picked.headerLine}
        problem={numberProblem(picked.headerLine, t.wholeNumber)}
        onInput={(headerLine) => {
          change({ headerLine });
        }}
      />
      <TextField
        label={t.skipLast}
        hint={t.skipLastHint}
        isOptional
        value={picked.skipLast}
        problem={numberProblem(picked.skipLast, t.wholeNumber)}
        onInput={(skipLast) => {
          change({ skipLast });
        }}
      />
    </>
  );
}

const numberProblem = (text: string, problem: string): string | undefined =>
  text === '' || numberIn(text) !== undefined ? undefined : problem;

const encodings = ['utf-8', 'windows-1252', 'iso-8859-15', 'macintosh', 'utf-16le'];

const endings = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,text/plain,application/json';

interface FileFieldProps {
  readonly picked: PickedFile | undefined;
  readonly onPick: (picked: PickedFile | undefined) => void;
}

function FileField({ picked, onPick }: FileFieldProps) {
  const t = useTexts(sendFileTexts);
  const format = useFormat();
  const isTooLarge = picked !== undefined && picked.file.size > bytesMax;
  return (
    <Field
      label={t.pick}
      hint={t.pickHint}
      problem={isTooLarge ? t.tooLarge(format.number(bytesMax / 1_000_000)) : undefined}
      control={(attributes) => (
        <input
          {...attributes}
          class="control"
          type="file"
          accept={endings}
          onClick={({ currentTarget }) => {
            // Lets the same file be picked again after a correction.
            currentTarget.value = '';
          }}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            onPick(file && { file, encoding: '', headerLine: '', skipLast: '' });
          }}
        />
      )}
    />
  );
}

/** A file that is picked again is another one, even under the same name. */
function Opened({ picked }: { readonly picked: PickedFile }) {
  const round = useRef({ picked, count: 0 });
  if (round.current.picked !== picked) round.current = { picked, count: round.current.count + 1 };
  const { count } = round.current;
  const { data, error } = useResource(async () => openPicked(picked), { on: [count] });
  if (error !== undefined) return <FileTrouble error={error} />;
  if (data === undefined) return <Loading />;
  return <SendOpened key={count} name={picked.file.name} opened={data} />;
}

interface SendOpenedProps {
  /** Name of the file. */
  readonly name: string;
  readonly opened: OpenedFile;
}

/** A readable file: its columns, its check and its sending. */
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

type ReadLines = ItemLines | { readonly problem: FileProblem };

function readBy(content: ItemFile, wish: ColumnWish): ReadLines {
  try {
    return itemLines(content, wish);
  } catch (error) {
    if (error instanceof FileProblem) return { problem: error };
    throw error;
  }
}

const columnsOf = (content: ItemFile, wish: ColumnWish) =>
  content.format === 'csv' ? planColumns(content.header, wish).columns : [];

/** Columns that are left out are shown among the columns. */
function Remarks({ remarks }: Pick<ItemLines, 'remarks'>) {
  const told = remarks.filter(({ kind }) => kind !== 'columnLeftOut');
  if (told.length === 0) return null;
  return (
    <Notice tone="info">
      <RemarkTexts remarks={told} />
    </Notice>
  );
}
