// npm run generate -- postman: build/postman-collection.json, made of docs/openapi.json by Postman's own converter. With DOCUMENT and FILE,
// of another document and in another place.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tools } from './client-tools.mjs';
import { projectRoot } from './prepare.mjs';
import { runMain } from './report-step.mjs';

await runMain(async () => {
  const [
    documentFile = join(projectRoot, 'docs', 'openapi.json'),
    file = join(projectRoot, 'build', 'postman-collection.json'),
  ] = process.argv.slice(2);
  const document = JSON.parse(await readFile(documentFile, 'utf8'));
  const { item: folders, info } = await convert(document);
  const examples = new Map(Object.values(document.components.parameters).map(({ name, example }) => [name, example]));
  const collection = {
    info: { name: info.name, description: info.description, schema: info.schema },
    item: folders.filter(({ item }) => item.length > 0).map((folder) => tidied(folder, examples)),
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      { key: 'bearerToken', value: '' },
    ],
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(collection, null, 2)}\n`);
});

/** Examples instead of made-up values, and optional parameters switched off: `If-Match` and `If-None-Match` refuse each other. */
async function convert(data) {
  const { convertV2 } = createRequire(join((await tools.npm()).modules, '.'))('openapi-to-postmanv2');
  const options = { parametersResolution: 'Example', folderStrategy: 'Tags', enableOptionalParameters: false };
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data }, options, (error, { result, reason, output } = {}) =>
      result ? resolve(output[0].data) : reject(new Error(`not converted: ${reason}`, { cause: error })),
    );
  });
}

/** Without what is another at each run (ids, and values made up for parameters), and without answers, which are nine tenths of it. */
function tidied(
  { id: _id, response: _response, event: _event, protocolProfileBehavior: _behavior, ...entry },
  examples,
) {
  if (entry.item !== undefined) return { ...entry, item: entry.item.map((one) => tidied(one, examples)) };
  const { header = [], url, ...request } = entry.request;
  const example = (one) => (one.disabled ? { ...one, value: examples.get(one.key) ?? '' } : one);
  return {
    ...entry,
    request: { ...request, header: header.map(example), url: { ...url, query: url.query?.map(example) ?? [] } },
  };
}
