import type { Scope } from '../core/scope.ts';
import type { AccountSideContext } from './account-side-context.ts';
import { reservedFirst } from './idempotency/reserved-first.ts';

type Usecase<Rest extends unknown[], Result> = (context: AccountSideContext, ...rest: Rest) => Result;

/** Fills the context of a use case in, so that callers pass only what is theirs. */
export interface Binder {
  readonly bind: <Rest extends unknown[], Result>(usecase: Usecase<Rest, Result>) => (...rest: Rest) => Result;
  /** For what creates: `newId` gives the id reserved with the call's `Idempotency-Key` first, where there is one. */
  readonly bindCreating: <Rest extends unknown[], Result>(
    usecase: Usecase<[Scope, ...Rest], Result>,
  ) => (scope: Scope, ...rest: Rest) => Result;
}

export function createBinder(context: AccountSideContext): Binder {
  return {
    bind:
      (usecase) =>
      (...rest) =>
        usecase(context, ...rest),
    bindCreating:
      (usecase) =>
      (scope, ...rest) =>
        usecase({ ...context, newId: reservedFirst(scope, context.newId) }, scope, ...rest),
  };
}
