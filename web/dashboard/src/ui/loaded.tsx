import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/use-resource.ts';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';
import { Stale } from './stale.tsx';

interface LoadedProps<Data> {
  readonly resource: Resource<Data>;
  readonly children: (data: Data) => ComponentChildren;
  /** Drawn while it is loading, in the size of what comes. */
  readonly skeleton?: ComponentChildren;
}

/** Draws what was loaded; before that that it is loading, or why it could not be. What is there stays when a later look fails. */
export function Loaded<Data>({ resource: { data, error, reload }, children, skeleton }: LoadedProps<Data>) {
  if (data === undefined)
    return error === undefined ? (skeleton ?? <Loading />) : <ErrorNote error={error} onRetry={reload} />;
  return (
    <>
      <Stale error={error} onRetry={reload} />
      {children(data)}
    </>
  );
}
