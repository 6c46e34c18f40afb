import type { Scope } from '../../core/scope.ts';

/** Returns the id reserved for the call first, if there is one, then new ids. */
export function reservedFirst({ reserved }: Scope, newId: () => string): () => string {
  let next = reserved?.id;
  return () => {
    const id = next ?? newId();
    next = undefined;
    return id;
  };
}
