import { useState } from 'preact/hooks';
import { useMe } from '../api/me.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { useDrawnPlace } from '../routing/location.ts';
import { readSaved, writeSaved, type SavedFilter } from '../state/saved-filters.ts';
import { Button } from './button.tsx';
import { Dialog } from './confirm-button.tsx';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import { tableTexts } from './table-texts.ts';
import { uiTexts } from './texts.ts';
import './saved-filters.css';

/** Named filters and order of this list; stored in this browser, for this account. */
export function SavedFilters() {
  const me = useMe();
  const { path } = useDrawnPlace();
  return me === undefined ? null : <SavedOf key={`${me.id} ${path}`} list={`${me.id} ${path}`} />;
}

function SavedOf({ list }: { readonly list: string }) {
  const t = useTexts(tableTexts);
  const { path, search } = useDrawnPlace();
  const [saved, setSaved] = useState(() => readSaved(list));
  const [isNaming, setNaming] = useState(false);
  const keep = (next: readonly SavedFilter[]): void => {
    setSaved(next);
    writeSaved(list, next);
  };
  const canSave = search !== '' && saved.every((one) => one.search !== search);
  if (saved.length === 0 && !canSave) return null;
  return (
    <div class="saved-filters" role="group" aria-label={t.savedFilters}>
      {saved.map((one) => (
        <span key={one.search} class="saved-filter">
          <a href={path + one.search} aria-current={one.search === search ? 'true' : undefined}>
            {one.name}
          </a>
          <button
            type="button"
            aria-label={t.forget(one.name)}
            onClick={() => {
              keep(saved.filter((other) => other !== one));
            }}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {canSave && (
        <Button
          kind="quiet"
          onClick={() => {
            setNaming(true);
          }}
        >
          {t.saveFilter}
        </Button>
      )}
      {isNaming && (
        <NameDialog
          onClose={() => {
            setNaming(false);
          }}
          onNamed={(name) => {
            keep([...saved, { name, search }]);
            setNaming(false);
          }}
        />
      )}
    </div>
  );
}

interface NameDialogProps {
  readonly onClose: () => void;
  readonly onNamed: (name: string) => void;
}

function NameDialog({ onClose, onNamed }: NameDialogProps) {
  const t = useTexts(tableTexts);
  const words = useTexts(uiTexts);
  const [name, setName] = useState('');
  const save = (): void => {
    if (name.trim() !== '') onNamed(name.trim());
  };
  return (
    <Dialog
      title={t.saveFilter}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" onClick={save}>
            {t.save}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label={t.filterName} hint={t.filterNameHint} value={name} onInput={setName} lengthMax={60} />
      </form>
    </Dialog>
  );
}
