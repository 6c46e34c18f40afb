import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export const repositoryRoot = join(import.meta.dirname, '../..');

const generated = new Set(['node_modules', 'build', 'dist', 'coverage']);

/** Paths of all TypeScript and script files in the top-level folders, found by walking them and not by any tool's opinion. */
export async function sourceFiles(): Promise<string[]> {
  const top = await readdir(repositoryRoot, { withFileTypes: true });
  const folders = top.filter(
    (entry) => entry.isDirectory() && !generated.has(entry.name) && !entry.name.startsWith('.'),
  );
  const nested = await Promise.all(folders.map(async ({ name }) => filesUnder(name)));
  return nested.flat().filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts'));
}

async function filesUnder(folder: string): Promise<string[]> {
  const paths = await readdir(join(repositoryRoot, folder), { recursive: true });
  const own = paths.filter((path) => !path.split(/[\\/]/).some((part) => generated.has(part)));
  return own.map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}
