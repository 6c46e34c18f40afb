// The rows of npm run checks -- clients: one generator each, from the document as it is served to a client that ran a story.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';

/** What each client has to tell of the story in test/generators/README.md. */
const wholeStory = {
  message: 'Item created',
  price: 149999.99,
  status: 422,
  code: 'VALIDATION_FAILED',
  fields: ['price', 'imageUrls.0'],
  listed: ['CHECK-2', 'CHECK-1'],
};

const tsx = ['node', `--import=${join(projectRoot, 'node_modules/tsx/dist/esm/index.mjs')}`, 'story.ts'];
const tsc = ['node', join(projectRoot, 'node_modules/typescript-native/bin/tsc'), '-p', '.'];
const importAll =
  'import importlib, pkgutil, sys; root = importlib.import_module(sys.argv[1]); [importlib.import_module(module.name) for module in pkgutil.walk_packages(root.__path__, root.__name__ + ".")]';

/**
 * `needs`: the tools, of which the first that is missing is the reason why the row is not run. `isQuick`: made at every change.
 * `document`: `without webhooks` where the generator takes their entries for operations of the service. `steps`: commands by name, in a
 * copy of the row's folder of test/generators, with `document` as the path of what is read. `story`: what the last one has to print.
 * @type {readonly { name: string, needs: readonly string[], isQuick?: true, document: 'whole' | 'without webhooks',
 *   steps: (found: object) => Record<string, { command: readonly string[], env?: Record<string, string> }>, story?: object }[]}
 */
export const generators = [
  {
    name: 'openapi-python-client',
    needs: ['python'],
    isQuick: true,
    document: 'whole',
    steps: ({ document, python: { python, folder } }) => {
      const env = { PYTHONPATH: `${folder}:.`, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
      const make = [
        'generate',
        '--path',
        document,
        '--output-path',
        'client',
        '--meta',
        'none',
        '--config',
        'config.yaml',
        '--fail-on-warning',
      ];
      return {
        generated: { command: [python, '-m', 'openapi_python_client', ...make], env },
        compiled: { command: [python, '-c', importAll, 'client'], env },
        story: { command: [python, 'story.py'], env },
      };
    },
    story: wholeStory,
  },
  {
    name: 'datamodel-code-generator',
    needs: ['python'],
    isQuick: true,
    document: 'whole',
    steps: ({ document, python: { python, folder } }) => {
      const env = { PYTHONPATH: folder };
      const type = ['--output-model-type', 'pydantic_v2.BaseModel'];
      const files = ['--input', document, '--input-file-type', 'openapi', '--output', 'models.py'];
      return {
        generated: { command: [python, '-m', 'datamodel_code_generator', ...files, ...type], env },
        compiled: { command: [python, '-c', 'import models'], env },
        story: { command: [python, 'story.py'], env },
      };
    },
    story: wholeStory,
  },
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    isQuick: true,
    document: 'whole',
    steps: ({ document, npm: { modules } }) => ({
      generated: { command: [join(modules, '.bin/openapi-typescript'), document, '-o', 'client/api.d.ts'] },
      compiled: { command: tsc },
      story: { command: tsx },
    }),
    story: wholeStory,
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    isQuick: true,
    document: 'without webhooks',
    steps: ({ document }) => ({
      generated: { command: ['go', 'tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', document] },
      compiled: { command: ['go', 'vet', './...'] },
      story: { command: ['go', 'run', '.'] },
    }),
    story: wholeStory,
  },
  {
    name: 'openapi-generator-python',
    needs: ['python', 'openapiGenerator'],
    document: 'without webhooks',
    steps: ({ document, python: { python, folder }, openapiGenerator }) => {
      const env = { PYTHONPATH: `${folder}:client` };
      return {
        generated: { command: generate(openapiGenerator, 'python', document) },
        compiled: { command: [python, '-c', importAll, 'openapi_client'], env },
        story: { command: [python, 'story.py'], env },
      };
    },
    story: wholeStory,
  },
  {
    name: 'openapi-generator-java',
    needs: ['openapiGenerator'],
    document: 'whole',
    steps: ({ document, folder, openapiGenerator }) => {
      const classPath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
      return {
        generated: { command: generate(openapiGenerator, 'java', document) },
        compiled: { command: ['mvn', '-q', '-B', '-f', 'client', 'compile', ...classPath] },
        get story() {
          const libraries = readFileSync(join(folder, 'client', 'classpath.txt'), 'utf8').trim();
          return { command: ['java', '-cp', `client/target/classes:${libraries}`, 'Story.java'] };
        },
      };
    },
    story: wholeStory,
  },
  {
    name: 'openapi-generator-typescript-fetch',
    needs: ['openapiGenerator'],
    document: 'without webhooks',
    steps: ({ document, openapiGenerator }) => ({
      generated: { command: generate(openapiGenerator, 'typescript-fetch', document) },
      compiled: { command: tsc },
      story: { command: tsx },
    }),
    story: wholeStory,
  },
  {
    name: 'openapi-generator-php',
    needs: ['openapiGenerator', 'php'],
    document: 'whole',
    steps: ({ document, openapiGenerator, php: { guzzleAutoload } }) => ({
      generated: { command: generate(openapiGenerator, 'php', document) },
      compiled: { command: ['php', 'load-all.php'], env: { GUZZLE_AUTOLOAD: guzzleAutoload } },
      story: { command: ['php', 'story.php'], env: { GUZZLE_AUTOLOAD: guzzleAutoload } },
    }),
    story: wholeStory,
  },
  {
    name: 'openapi-generator-csharp',
    needs: ['openapiGenerator'],
    document: 'whole',
    steps: ({ document, openapiGenerator }) => ({
      generated: { command: generate(openapiGenerator, 'csharp', document) },
      compiled: { needs: 'dotnet', command: ['dotnet', 'build', 'client/src/Org.OpenAPITools'] },
    }),
  },
  {
    name: 'postman',
    needs: ['npm'],
    isQuick: true,
    document: 'whole',
    steps: ({ document }) => ({
      generated: { command: ['node', join(projectRoot, 'scripts', 'postman.mjs'), document, 'collection.json'] },
      story: { command: ['node', 'first-put.mjs', 'collection.json'] },
    }),
    story: { status: 202, message: 'Item created' },
  },
];

const generate = ({ jar }, generator, document) => [
  'java',
  '-jar',
  jar,
  'generate',
  '-i',
  document,
  '-g',
  generator,
  '-o',
  'client',
];
