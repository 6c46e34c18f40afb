// node scripts/python-models.mjs [FILE]: the types of the Python package, from docs/openapi.json. A slow test makes them again and compares.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tools } from './client-tools.mjs';
import { lastLines, prepare, projectRoot, runQuietly } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';

const models = join(projectRoot, 'packages', 'python', 'src', 'itembridge', 'models.py');
/** Dictionaries as they come from JSON; mypy does not know PEP 728's closed ones yet. */
const style = [
  ...['--output-model-type', 'typing.TypedDict', '--no-use-closed-typed-dict', '--enum-field-as-literal', 'all'],
  ...['--target-python-version', '3.11', '--use-standard-collections', '--use-union-operator'],
  ...['--use-schema-description', '--use-field-description', '--disable-timestamp', '--formatters', 'black', 'isort'],
];

/** Writes the types. Returns `{ missing }` where there is no Python. @param {string} file */
export async function writePythonModels(file = models) {
  const { python, folder, missing } = await tools.python();
  if (missing !== undefined) return { missing };
  const input = ['--input', 'docs/openapi.json', '--input-file-type', 'openapi', '--openapi-scopes', 'schemas'];
  const args = ['-W', 'ignore', '-m', 'datamodel_code_generator', ...input, '--output', file, ...style];
  const { code, output } = await runQuietly(python, args, {
    cwd: projectRoot,
    env: { ...process.env, PYTHONPATH: folder },
  });
  if (code !== 0) throw new SetupError(`the models could not be made:\n${lastLines(output, 10)}`);
  // Python's own has all that is used, from the oldest version that the package takes.
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(
      'NotRequired, TypeAlias\n\nfrom typing_extensions import TypedDict',
      'NotRequired, TypeAlias, TypedDict',
    ),
  );
  return {};
}

if (process.argv[1] === import.meta.filename)
  await runMain(async () => {
    await prepare();
    const { missing } = await writePythonModels(process.argv[2]);
    if (missing !== undefined) throw new SetupError(missing);
    console.log('packages/python/src/itembridge/models.py written');
  });
