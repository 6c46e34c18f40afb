import { performance } from 'node:perf_hooks';

/** `work` for all who ask while it runs and for so many ms after it has ended: one outcome, a failure too. */
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
