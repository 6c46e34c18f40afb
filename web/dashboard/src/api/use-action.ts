import { useEffect, useRef, useState } from 'preact/hooks';
import { currentPlace } from '../routing/location.ts';
import { showToast } from '../ui/toasts.tsx';
import { repeatUnderOneName, type CallName } from './repeat-under-one-name.ts';

export interface Action<Args extends readonly unknown[]> {
  /** Does it, unless it is being done. Never rejects: what went wrong is in `error`. */
  readonly run: (...args: Args) => void;
  readonly isPending: boolean;
  /** Why the last try failed; undefined when it did not. */
  readonly error: unknown;
  readonly clearError: () => void;
}

interface ActionOptions<Result> {
  /** After it went well, for instance to load again or to go elsewhere; not when the person has left the page meanwhile. */
  readonly onDone?: (result: Result) => void;
  /** Said to the person when it went well. */
  readonly toast?: string | ((result: Result) => string);
}

/** Something the person does to what the service keeps. */
export function useAction<Args extends readonly unknown[], Result>(
  act: (...args: Args) => Promise<Result>,
  { onDone, toast }: ActionOptions<Result> = {},
): Action<Args> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const isBusy = useRef(false);
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  const finish = (problem: unknown): void => {
    isBusy.current = false;
    if (!isHere.current) return;
    setPending(false);
    setError(problem);
  };
  const run = (...args: Args): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    setPending(true);
    setError(undefined);
    const { path } = currentPlace();
    act(...args).then((result) => {
      finish(undefined);
      if (toast !== undefined) showToast(typeof toast === 'string' ? toast : toast(result));
      if (currentPlace().path === path) onDone?.(result);
    }, finish);
  };
  const clearError = (): void => {
    setError(undefined);
  };
  return { run, isPending, error, clearError };
}

export type { CallName } from './repeat-under-one-name.ts';

/**
 * For a POST that makes something: `useRepeatable(async (body, headers) => api.post…({ body, headers }))`. When nobody knows what became
 * of it and the person tries the same again, it goes under the same name, so that nothing is made twice.
 */
export function useRepeatable<Body, Result>(
  post: (body: Body, headers: CallName) => Promise<Result>,
): (body: Body) => Promise<Result> {
  const [repeatable] = useState(() => repeatUnderOneName(post, newCallName));
  repeatable.post = post;
  return repeatable.call;
}

/** `crypto.randomUUID` is there on secure pages only; this is everywhere. */
const newCallName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
