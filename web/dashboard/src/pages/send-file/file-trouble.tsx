import { FileProblem } from '../../../../../client/files/file-findings.ts';
import { tellFinding } from '../../../../../client/files/english.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Notice } from '../../ui/notice.tsx';
import { findingTexts } from './finding-texts.ts';
import { sendFileTexts } from './texts.ts';

/** Why a file can't be read as items; or what else went wrong. undefined draws nothing. */
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
