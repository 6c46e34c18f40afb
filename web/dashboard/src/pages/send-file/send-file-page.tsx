import { useRef, useState } from 'preact/hooks';
import { useMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { MemberChoice } from '../../shell/member-choice.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { FileTrouble } from './file-trouble.tsx';
import { bytesMax, openPicked, type PickedFile } from './open-file.ts';
import { SendOpened } from './send-opened.tsx';
import { sendFileTexts } from './texts.ts';

/** A file of items by hand: pick it, say what its columns are, try it without effect, send it. */
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
          {picked !== undefined && (
            <SelectField
              label={t.encoding}
              hint={t.encodingHint}
              value={picked.encoding}
              choices={[{ value: '', label: t.encodingAuto }, ...encodings.map((value) => ({ value, label: value }))]}
              onChange={(encoding) => {
                setPicked({ ...picked, encoding });
              }}
            />
          )}
        </div>
      </Section>
      {picked !== undefined && picked.file.size <= bytesMax && <Opened picked={picked} />}
    </Page>
  );
}

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
            // So that the same file, corrected meanwhile, is a change too.
            currentTarget.value = '';
          }}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            onPick(file && { file, encoding: '' });
          }}
        />
      )}
    />
  );
}

/** A file picked again is another one, even under the same name. */
function Opened({ picked }: { readonly picked: PickedFile }) {
  const round = useRef({ picked, count: 0 });
  if (round.current.picked !== picked) round.current = { picked, count: round.current.count + 1 };
  const { count } = round.current;
  const { data, error } = useResource(async () => openPicked(picked), { on: [count] });
  if (error !== undefined) return <FileTrouble error={error} />;
  if (data === undefined) return <Loading />;
  return <SendOpened key={count} name={picked.file.name} opened={data} />;
}
