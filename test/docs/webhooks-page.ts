import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildDocument } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';
import { deliveredTypes, type DeliveredType } from '../../core/events/event-types.ts';
import { commonEventData } from '../../schemas/events/event-data.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { repositoryRoot } from '../rules/source-files.ts';

// docs/reference/webhooks.md is written by hand but for what it quotes: examples that are files, and the catalogue, which is the schemas in words.

export const pageFile = join(repositoryRoot, 'docs/reference/webhooks.md');

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.py': 'python',
  '.java': 'java',
  '.cs': 'csharp',
  '.go': 'go',
  '.php': 'php',
};

/** The page with every quotation as it should be; a page that is fresh is unchanged by it. */
export function freshPage(page: string): string {
  return page
    .split(/(?=<!-- (?:quoted: |event catalogue))/)
    .map((part) => {
      const [begin = ''] = part.split('\n', 1);
      const after = part.split('<!-- end -->').slice(1).join('<!-- end -->');
      const fresh = quotation(begin);
      return fresh === undefined ? part : `${begin}\n${fresh}<!-- end -->${after}`;
    })
    .join('');
}

/** What stands behind such a line; undefined when it is none that is quoted. */
function quotation(line: string): string | undefined {
  if (line.startsWith('<!-- event catalogue')) return catalogue();
  const [file] = quotedFiles(line);
  if (file === undefined) return undefined;
  const language = languages[extname(file)] ?? '';
  return `\`\`\`${language}\n${readFileSync(join(repositoryRoot, file), 'utf8')}\`\`\`\n`;
}

/** Files that the page quotes. */
export const quotedFiles = (page: string): string[] =>
  [...page.matchAll(/<!-- quoted: (\S+) -->/g)].map((match) => match[1] ?? '');

interface Field {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly items?: Field;
}

const plain = (schema: object): Field => JSON.parse(JSON.stringify(schema)) as Field;

function catalogue(): string {
  const common = { properties: plain(commonEventData) as Readonly<Record<string, Field>>, required: required() };
  const { test: _told, ...fields } = common.properties;
  return [
    'In `data` of every event:\n',
    table({ properties: fields, required: common.required }),
    ...deliveredTypes.map(section),
  ].join('\n');
}

const required = (): readonly string[] => plain(deliveredSchemas['item.created']).properties?.['data']?.required ?? [];

function section(type: DeliveredType): string {
  const { description = '', properties = {} } = plain(deliveredSchemas[type]);
  const { properties: data = {}, required: needed = [] } = properties['data'] ?? {};
  const own = Object.entries(data).filter(([name]) => !Object.hasOwn(commonEventData, name));
  const more = own.length === 0 ? [] : [table({ properties: Object.fromEntries(own), required: needed })];
  return [`### ${type}\n`, `${description}.\n`, ...more, example(type)].join('\n');
}

function table({ properties = {}, required: needed = [] }: Pick<Field, 'properties' | 'required'>): string {
  const rows = Object.entries(properties).flatMap(([name, field]) => rowsOf(name, field, needed.includes(name)));
  return ['| field | type | |', '|---|---|---|', ...rows, ''].join('\n');
}

function rowsOf(path: string, field: Field, isRequired: boolean): string[] {
  const text = `${field.description ?? ''}${isRequired ? '' : ' (not always there)'}`;
  const row = `| \`${path}\` | ${typeText(field)} | ${text} |`;
  const inner = field.items ?? field;
  const prefix = field.items === undefined ? `${path}.` : `${path}[].`;
  const children = Object.entries(inner.properties ?? {}).flatMap(([name, child]) =>
    rowsOf(`${prefix}${name}`, child, inner.required?.includes(name) ?? false),
  );
  return [row, ...children];
}

function typeText({ type, enum: values, const: constant }: Field): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  return typeof type === 'string' ? type : (type ?? []).join(' or ');
}

const { webhooks } = buildDocument(routes) as {
  readonly webhooks: Readonly<
    Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>
  >;
};

function example(type: DeliveredType): string {
  const body = webhooks[type]?.post.requestBody.content['application/json']?.example;
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`;
}
