import { performance } from 'node:perf_hooks';

/** Shares one run of `work`, even a failed one, among all calls while it runs and for `forMs` ms after its end. */
export function sharedFor<Result>(forMs: number, work: () => Promise<Result>): () => Promise<Result> {
  let current: { readonly result: Promise<Result>; endedAtMs: number } | undefined;
  return () => {
    if (current !== undefined && performance.now() - current.endedAtMs < forMs) return current.result;
    const next = { result: work(), endedAtMs: Infinity };
    const end = (): void => {
      next.endedAtMs = performance.now();
    };
    next.result.then(end, end);
    current = next;
    return next.result;
  };
}
