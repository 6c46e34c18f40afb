import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useResource } from '../api/use-resource.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { navigate } from '../routing/location.ts';
import { memberQuery, useActingMember } from '../shell/member-choice.tsx';
import { Dialog } from '../ui/confirm-button.tsx';
import { ErrorNote } from '../ui/notice.tsx';
import { groupsOf, type FoundGroup } from './found-rows.tsx';
import { finderTexts } from './texts.ts';
import './finder.css';

/** Pause after the last key press before a search. */
const pauseMs = 180;

/**
 * Searches things of every kind: a combobox in which arrow keys move through the results while the focus stays in the
 * field.
 */
export function FinderDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(finderTexts);
  const listId = useId();
  const member = useActingMember();
  const [text, setText] = useState('');
  const typed = useSettled(text.trim());
  const found = useResource(
    async (signal) =>
      typed === '' ? undefined : (await api.search({ query: { q: typed, ...memberQuery(member) }, signal })).data,
    { on: [typed, member] },
  );
  const groups = found.data === undefined ? [] : groupsOf(found.data, member);
  const rows = groups.flatMap((group) => group.rows);
  const choice = useChoice(rows.length, typed);
  const open = (href: string | undefined): void => {
    if (href === undefined) return;
    onClose();
    navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(rows[choice.index]?.href);
    // By itself a field of this type would first be emptied.
    else if (event.key === 'Escape') onClose();
    else if (!choice.move(event.key)) return;
    event.preventDefault();
  };
  const isAsked = typed !== '' && found.data !== undefined;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <div class="finder">
        <FinderField
          text={text}
          listId={listId}
          chosen={rows.length === 0 ? undefined : choice.index}
          onInput={setText}
          onKeyDown={onKeyDown}
        />
        <ErrorNote error={typed === '' ? undefined : found.error} onRetry={found.reload} />
        <p class="muted small" role="status">
          {typed === '' ? t.hint : !isAsked ? t.searching : rows.length === 0 ? t.none(typed) : t.count(rows.length)}
        </p>
        <div id={listId} role="listbox" aria-label={t.label} class="finder-list" hidden={rows.length === 0}>
          <Groups groups={groups} listId={listId} chosen={choice.index} onPoint={choice.point} onOpen={onClose} />
        </div>
        {rows.length > 0 && <p class="muted small finder-keys">{t.keys}</p>}
      </div>
    </Dialog>
  );
}

interface FieldProps {
  readonly text: string;
  readonly listId: string;
  /** Index of the chosen row; undefined without one. */
  readonly chosen: number | undefined;
  readonly onInput: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function FinderField({ text, listId, chosen, onInput, onKeyDown }: FieldProps) {
  const t = useTexts(finderTexts);
  return (
    <input
      class="control"
      type="search"
      role="combobox"
      list={undefined}
      aria-label={t.label}
      aria-autocomplete="list"
      aria-expanded={chosen !== undefined}
      aria-controls={listId}
      {...(chosen !== undefined && { 'aria-activedescendant': `${listId}-${chosen}` })}
      placeholder={t.label}
      autocomplete="off"
      spellcheck={false}
      maxLength={200}
      value={text}
      onInput={({ currentTarget }) => {
        onInput(currentTarget.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

interface GroupsProps {
  readonly groups: readonly FoundGroup[];
  readonly listId: string;
  readonly chosen: number;
  readonly onPoint: (index: number) => void;
  readonly onOpen: () => void;
}

function Groups({ groups, listId, chosen, onPoint, onOpen }: GroupsProps) {
  const t = useTexts(finderTexts);
  let index = -1;
  return (
    <>
      {groups.map(({ kind, rows }) => (
        <div key={kind} role="group" aria-labelledby={`${listId}-${kind}`}>
          <div id={`${listId}-${kind}`} class="finder-kind" role="presentation">
            {t.groups[kind]}
          </div>
          {rows.map(({ href, name, about }) => {
            index += 1;
            const own = index;
            return (
              <a
                key={href}
                id={`${listId}-${own}`}
                role="option"
                aria-selected={own === chosen}
                class="finder-row"
                href={href}
                tabIndex={-1}
                onPointerMove={() => {
                  onPoint(own);
                }}
                onClick={onOpen}
              >
                <span class="finder-name">{name}</span>
                <span class="muted small finder-about">{about}</span>
              </a>
            );
          })}
        </div>
      ))}
    </>
  );
}

/** The value after a pause in typing; an empty value at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setSettled(value);
      },
      value === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return settled;
}

interface Choice {
  readonly index: number;
  readonly point: (index: number) => void;
  /** Returns whether it has handled the key. */
  readonly move: (key: string) => boolean;
}

/** The chosen row: the first for a new search; it wraps around at the ends. */
function useChoice(count: number, search: string): Choice {
  const [index, setIndex] = useState(0);
  const list = useRef(count);
  list.current = count;
  useEffect(() => {
    setIndex(0);
  }, [search]);
  useEffect(() => {
    document.querySelector('.finder-row[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  const move = (key: string): boolean => {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || list.current === 0) return false;
    setIndex((before) => (before + step + list.current) % list.current);
    return true;
  };
  return { index: Math.min(index, Math.max(0, count - 1)), point: setIndex, move };
}
