import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'deploy/monitoring';

/** Every metric that the files in deploy/monitoring name, and the file that does. */
export function namesInUse(): { readonly name: string; readonly file: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /[.](ya?ml|json)$/.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const names = text.match(/\b(itembridge|temporal|nodejs|process)_[a-z0-9_]+/g) ?? [];
    return [...new Set(names)].map((name) => ({ name, file }));
  });
}
