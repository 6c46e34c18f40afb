import { cpSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Does here what the last stage of the Dockerfile copies, so that what it forgets is missing here, too. After `npm run build`.
 * @param {string} root folder of the project
 * @param {string} folder a new one, outside the project: Node would find its packages there
 */
export function layOutImage(root, folder) {
  const lastStage = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .at(-1);
  for (const [, sources, target] of lastStage.matchAll(/^COPY (?:--from=build )?(.+) (\S+)$/gm))
    for (const source of sources.split(' ')) {
      const from = join(root, source.replace(/^\/app\//, ''));
      const to = statSync(from).isDirectory() ? target : join(target, basename(from));
      cpSync(from, join(folder, to), { recursive: true });
    }
  return folder;
}
