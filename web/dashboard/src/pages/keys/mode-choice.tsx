import type { KeyMode } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { SelectField } from '../../ui/field.tsx';
import type { KeyDraft } from './key-draft.ts';
import { keysTexts } from './texts.ts';

interface ModeChoiceProps {
  readonly modes: readonly KeyMode[];
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
}

/** Live or test; nothing where the service offers one of them alone. */
export function ModeChoice({ modes, draft, onChange }: ModeChoiceProps) {
  const t = useTexts(keysTexts);
  const [usual] = modes;
  if (usual === undefined || modes.length === 1) return null;
  return (
    <SelectField
      label={t.mode}
      hint={t.modeHint}
      value={draft.mode ?? usual}
      choices={modes.map((value) => ({ value, label: t.modes[value] }))}
      onChange={(mode) => {
        onChange({ ...draft, mode });
      }}
    />
  );
}
