import { findItemField } from '../../../../../client/files/item-fields.ts';
import { useCategories } from '../../api/categories.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { fieldNames, isChosen, rivalOf, wishOf, type ColumnChoice } from './column-choices.ts';
import { fieldLabel } from './finding-texts.ts';
import { sendFileTexts } from './texts.ts';
import './columns-section.css';

type Set = Readonly<Record<string, string>>;

interface ColumnsSectionProps {
  readonly name: string;
  readonly samples: readonly (readonly string[])[];
  readonly choices: readonly ColumnChoice[];
  readonly setChoices: (choices: readonly ColumnChoice[]) => void;
  /** Fields with one value for all rows. */
  readonly set: Set;
  readonly setSet: (set: Set) => void;
}

/** The field of each column. The suggestion is shown before it is used. */
export function ColumnsSection({ name, samples, choices, setChoices, set, setSet }: ColumnsSectionProps) {
  const t = useTexts(sendFileTexts);
  const save = (): void => {
    const { map } = wishOf(choices, set);
    saveFile(new Blob([JSON.stringify(map, null, 2)], { type: 'application/json' }), `${name}.mapping.json`);
  };
  const change = (index: number, field: string): void => {
    const next = choices.map((choice) => (choice.index === index ? { ...choice, field } : choice));
    setChoices(next);
    // A field that a column holds can't have one value for all rows.
    setSet(Object.fromEntries(Object.entries(set).filter(([same]) => !isChosen(next, same))));
  };
  return (
    <Section title={t.columns} lead={t.columnsLead} actions={<Button onClick={save}>{t.saveMapping}</Button>}>
      <div class="columns-of-file">
        {choices.map((choice) => (
          <ColumnField
            key={choice.index}
            choice={choice}
            rival={rivalOf(choices, choice)}
            samples={samples.map((cells) => cells[choice.index]?.trim() ?? '').filter((cell) => cell !== '')}
            onChange={(field) => {
              change(choice.index, field);
            }}
          />
        ))}
      </div>
      <SameForAll {...{ choices, set, setSet }} />
    </Section>
  );
}

interface ColumnFieldProps {
  readonly choice: ColumnChoice;
  /** The column that has this field already. */
  readonly rival: string | undefined;
  readonly samples: readonly string[];
  readonly onChange: (field: string) => void;
}

const sampleLength = 40;

function ColumnField({ choice: { column, field }, rival, samples, onChange }: ColumnFieldProps) {
  const t = useTexts(sendFileTexts);
  const language = useLanguage();
  // A field of its own, such as a catalogue code, which no list contains.
  const own = findItemField(column)?.name;
  const names = own === undefined || fieldNames.includes(own) ? fieldNames : [own, ...fieldNames];
  const shown = samples.map((sample) => (sample.length > sampleLength ? `${sample.slice(0, sampleLength)}…` : sample));
  return (
    <SelectField
      label={column}
      hint={shown.length === 0 ? t.emptyColumn : shown.join(' · ')}
      problem={rival === undefined ? undefined : t.chosenTwice(rival)}
      value={field}
      choices={[
        { value: '', label: t.leaveOut },
        ...names.map((value) => ({ value, label: fieldLabel(value, language) })),
      ]}
      onChange={onChange}
    />
  );
}

/** Fields that files of an ERP often lack, because they are the same for all items there. */
function SameForAll({ choices, set, setSet }: Pick<ColumnsSectionProps, 'choices' | 'set' | 'setSet'>) {
  const t = useTexts(sendFileTexts);
  const language = useLanguage();
  const categories = useCategories();
  const { domain = '', autoPublishTradera: publish, ...rest } = set;
  const put = (next: { domain: string; publish: string | undefined }): void => {
    setSet({
      ...rest,
      ...(next.domain !== '' && { domain: next.domain }),
      ...(next.publish !== undefined && { autoPublishTradera: next.publish }),
    });
  };
  return (
    <div class="form">
      {!isChosen(choices, 'domain') && !isChosen(choices, 'domain.domain') && (
        <SelectField
          label={t.domain}
          hint={t.domainHint}
          value={domain}
          choices={[
            { value: '', label: t.noDomain },
            ...categories.map(({ slug, labelSv, labelEn }) => ({
              value: slug,
              label: language === 'sv' ? labelSv : labelEn,
            })),
          ]}
          onChange={(chosen) => {
            put({ domain: chosen, publish });
          }}
        />
      )}
      {!isChosen(choices, 'autoPublishTradera') && (
        <CheckField
          label={t.publish}
          hint={t.publishHint}
          isChecked={publish !== undefined}
          onChange={(isWanted) => {
            put({ domain, publish: isWanted ? 'true' : undefined });
          }}
        />
      )}
    </div>
  );
}
