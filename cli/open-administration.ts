import type { openAdministration as open } from '../usecases/open-administration.ts';

/** Loads the database driver and its dependencies only for commands that need it; the others start in half the time. */
export async function openAdministration(...args: Parameters<typeof open>): Promise<Awaited<ReturnType<typeof open>>> {
  const { openAdministration: load } = await import('../usecases/open-administration.ts');
  return load(...args);
}
