import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useLanguage } from '../i18n/language.ts';
import type { Language } from '../i18n/languages.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './notice.tsx';
import { saveFile } from './save-file.ts';
import { tableTexts } from './table-texts.ts';

interface ExportButtonProps {
  /** Name of the file, without the day and the ending. */
  readonly name: string;
  /** Loads the list as a file, with the filters of the page. */
  readonly read: (language: Language) => Promise<{ readonly response: Response }>;
}

/** Saves the list with its present filters as a CSV file. */
export function ExportButton({ name, read }: ExportButtonProps) {
  const t = useTexts(tableTexts);
  const language = useLanguage();
  const load = useAction(async () => (await read(language)).response.blob(), {
    onDone: (file) => {
      saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.csv`);
    },
  });
  return (
    <>
      <Button onClick={load.run} isPending={load.isPending}>
        {t.export}
      </Button>
      <ErrorNote error={load.error} />
    </>
  );
}
