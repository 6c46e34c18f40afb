import { useEffect, useRef, useState } from 'preact/hooks';
import { currentPlace } from '../routing/location.ts';
import { showToast } from '../ui/toasts.tsx';
import { repeatUnderOneName, type CallName } from './repeat-under-one-name.ts';

export interface Action<Args extends readonly unknown[]> {
  /** Starts the action, unless it is running. Never rejects: a failure is in `error`. */
  readonly run: (...args: Args) => void;
  readonly isPending: boolean;
  /** Failure of the last run; undefined when it succeeded. */
  readonly error: unknown;
  readonly clearError: () => void;
}

interface ActionOptions<Result> {
  /** Called after success, unless the person has left the page. */
  readonly onDone?: (result: Result) => void;
  /** A toast that is shown after success. */
  readonly toast?: string | ((result: Result) => string);
}

/** An action of the person that changes data of the service. */
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
 * For a POST that creates something: `useRepeatable(async (body, headers) => api.post…({ body, headers }))`. When the
 * outcome is unknown and the person repeats it, the same key is used, so that nothing is created twice.
 */
export function useRepeatable<Body, Result>(
  post: (body: Body, headers: CallName) => Promise<Result>,
): (body: Body) => Promise<Result> {
  const [repeatable] = useState(() => repeatUnderOneName(post, newCallName));
  repeatable.post = post;
  return repeatable.call;
}

/** `crypto.randomUUID` exists on secure pages only; this works everywhere. */
const newCallName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
