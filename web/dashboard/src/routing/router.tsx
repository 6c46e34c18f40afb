import { createContext, type ComponentType } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { DrawnPlace, usePlace, type Place } from './location.ts';
import { matchPath, type PathParams } from './match-path.ts';

/** One page of the table; its code is loaded when the page is opened. */
export interface PageEntry {
  /** For example `/dashboard/items/:externalId`. */
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
}

interface RouterProps {
  readonly pages: readonly PageEntry[];
  readonly notFound: ComponentType;
  /** Drawn when the code of a page could not be loaded. */
  readonly failed: ComponentType<{ error: unknown }>;
  readonly loading: ComponentType;
}

const Params = createContext<PathParams>({});

/** Value of `:name` in the path of this page, decoded. */
export const useParam = (name: string): string => useContext(Params)[name] ?? '';

type Shown =
  | { readonly path: string; readonly params: PathParams; readonly Page: ComponentType }
  | { readonly path: string; readonly error: unknown };

/**
 * Draws the page of the present address. The previous page stays until the next one's code is loaded. Each address has
 * a page of its own.
 */
export function Router({ pages, notFound: NotFound, failed: Failed, loading: Loading }: RouterProps) {
  const here = usePlace();
  const { path } = here;
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const found = findPage(pages, path);
    if (found === undefined) {
      setShown({ path, params: {}, Page: NotFound });
      return;
    }
    let isCurrent = true;
    const show = (next: Shown): void => {
      if (isCurrent) setShown(next);
    };
    found.entry.load().then(
      (Page) => {
        show({ path, params: found.params, Page });
      },
      (error: unknown) => {
        show({ path, error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [pages, path, NotFound]);
  const drawn = useDrawn(here, shown?.path ?? path);
  if (shown === undefined) return <Loading />;
  if ('error' in shown) return <Failed key={shown.path} error={shown.error} />;
  return (
    <DrawnPlace.Provider value={drawn}>
      <Params.Provider value={shown.params}>
        <shown.Page key={shown.path} />
      </Params.Provider>
    </DrawnPlace.Provider>
  );
}

/** The address of the page at `path`: the present one, or the last one before the person left it. */
function useDrawn(here: Place, path: string): Place {
  const last = useRef(here);
  if (here.path === path) last.current = here;
  return last.current.path === path ? last.current : { path, search: '' };
}

/** The first page whose pattern matches, with the values of its path. */
export function findPage(
  pages: readonly PageEntry[],
  path: string,
): { entry: PageEntry; params: PathParams } | undefined {
  for (const entry of pages) {
    const params = matchPath(entry.path, path);
    if (params !== undefined) return { entry, params };
  }
  return undefined;
}
