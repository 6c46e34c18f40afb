import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'deploy/monitoring';

/** Every metric that the files in deploy/monitoring name, and the file that does. */
export function namesInUse(): { readonly name: string; readonly file: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /[.](ya?ml|json)$/.test(file),
  );
  const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
  // Labels that the operator sets look like metrics.
  const labels = new Set(files.flatMap((file) => textOf(file).match(/(?<=\$externalLabels\.)\w+/g) ?? []));
  return files.flatMap((file) => {
    const names = textOf(file).match(/\b(itembridge|temporal|nodejs|process)_[a-z0-9_]+/g) ?? [];
    return [...new Set(names)].filter((name) => !labels.has(name)).map((name) => ({ name, file }));
  });
}
