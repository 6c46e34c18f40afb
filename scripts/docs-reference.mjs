// The pages of /docs/reference/, made of docs/openapi.json at build time: one for each tag, one for the events. Without a script: a
// reader sees a page as soon as its few kilobytes are there.

/**
 * The pages by name, and a list of them for the menu.
 * @param {object} document the interface document
 * @param {(text: string) => Promise<string>} markdown
 */
export async function referencePages(document, markdown) {
  const sections = document.tags.map((tag) => ({
    ...tag,
    slug: slugOf(tag.name),
    operations: operationsOf(document, tag.name),
  }));
  const withOperations = sections.filter(({ operations }) => operations.length > 0);
  const pages = withOperations.map(({ slug, name }) => ({ name: slug, title: name }));
  const menu = [...pages, { name: 'webhook-events', title: 'Webhook events' }];
  const context = { document, markdown };
  const contents = new Map([['index', await overview(withOperations, context)]]);
  for (const section of withOperations) contents.set(section.slug, await sectionPage(section, context));
  contents.set('webhook-events', await eventsPage(document, context));
  return { menu, contents };
}

const slugOf = (name) => name.toLowerCase().replaceAll(' ', '-');
const methods = ['get', 'put', 'post', 'patch', 'delete'];

const operationsOf = (document, tag) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation?.tags?.[0] === tag ? [{ ...operation, method, path, shared: item.parameters ?? [] }] : [];
    }),
  );

const escape = (text) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const resolve = (document, value) => {
  if (value?.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
};

async function overview(sections, { document, markdown }) {
  const rows = sections.map(
    ({ name, slug, description, operations }) => `<h2 id="${slug}"><a href="/docs/reference/${slug}">${name}</a></h2>
<p>${escape(description ?? '')}</p>
<ul class="calls">${operations
      .map(
        ({ operationId, method, path, summary }) =>
          `<li><a href="/docs/reference/${slug}#${operationId}">${signature(method, path)}</a> <span>${escape(summary ?? '')}</span></li>`,
      )
      .join('')}</ul>`,
  );
  return `<h1>Reference</h1>
${await markdown(document.info.description)}
<p>Every call can be tried on the <a href="/docs/try">interactive page</a>; programs read <a href="/openapi.json">openapi.json</a>.</p>
${rows.join('\n')}`;
}

const signature = (method, path) =>
  `<span class="method method-${method}">${method.toUpperCase()}</span> <code>${escape(path).replaceAll('/', '/<wbr>')}</code>`;

async function sectionPage({ name, description, operations }, context) {
  const parts = [`<h1>${name}</h1>`, `<p>${escape(description ?? '')}</p>`];
  for (const operation of operations) parts.push(await operationPart(operation, context));
  return parts.join('\n');
}

async function operationPart(operation, context) {
  const { operationId, summary, method, path, description } = operation;
  return `<section class="call">
<h2 id="${operationId}"><a href="#${operationId}">${escape(summary ?? operationId)}</a></h2>
<p class="signature">${signature(method, path)}</p>
<p class="small">${credentialOf(operation)}</p>
${await context.markdown(description ?? '')}
${await parametersTable(operation, context)}
${await bodyPart(operation, context)}
${await answersPart(operation, context)}
</section>`;
}

/** What opens the call, in words. */
function credentialOf({ security = [], 'x-key-scope': scope }) {
  const names = security.flatMap((one) => Object.keys(one));
  const words = names.map((name) =>
    name === 'apiKey' ? 'an API key in <code>x-api-key</code>' : 'a session, <code>Authorization: Bearer</code>',
  );
  if (words.length === 0) return 'Open to everyone.';
  return `Needs ${[...new Set(words)].join(' or ')}${scope === undefined ? '' : `, with the scope <code>${escape(scope)}</code>`}.`;
}

async function parametersTable(operation, { document, markdown }) {
  const parameters = [...operation.shared, ...(operation.parameters ?? [])].map((one) => resolve(document, one));
  if (parameters.length === 0) return '';
  const rows = [];
  for (const { name, in: where, required, description, schema } of parameters)
    rows.push([
      `<code>${escape(name)}</code>${required ? ' <strong>required</strong>' : ''}`,
      where,
      typeOf(document, schema),
      await markdown(description ?? ''),
    ]);
  return `<h3>Parameters</h3>${table(['Name', 'In', 'Type', 'What it is'], rows)}`;
}

async function bodyPart({ requestBody }, context) {
  const body = resolve(context.document, requestBody);
  if (body === undefined) return '';
  const [type, media] = Object.entries(body.content)[0];
  const examples = Object.values(media.examples ?? {}).map((one) => resolve(context.document, one));
  const shown = examples.slice(0, 2).map(({ summary, value }) => example(summary ?? 'Example', value));
  return `<h3>Body <code>${escape(type)}</code></h3>${await schemaTable(media.schema, context)}${shown.join('')}`;
}

const example = (title, value) =>
  `<details><summary>${escape(title)}</summary><pre><code>${escape(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</code></pre></details>`;

async function answersPart({ responses }, context) {
  const parts = [];
  const refusals = [];
  for (const [status, given] of Object.entries(responses)) {
    const answer = resolve(context.document, given);
    if (Number(status) >= 400) refusals.push([`<code>${status}</code>`, escape(answer.description ?? '')]);
    else parts.push(await answerPart(status, answer, context));
  }
  const last =
    refusals.length === 0
      ? ''
      : `<details><summary>Refusals</summary>${table(['Status', 'When'], refusals)}<p class="small"><a href="/docs/guides/errors">What each code means</a></p></details>`;
  return `<h3>Answers</h3>${parts.join('')}${last}`;
}

async function answerPart(status, { description, content }, context) {
  const media = content === undefined ? undefined : Object.values(content)[0];
  const told = `<p><code>${status}</code> ${escape(description ?? '')}</p>`;
  if (media?.schema === undefined) return told;
  const fields = await schemaTable(media.schema, context);
  return fields === '' ? told : `${told}<details><summary>Fields of the answer</summary>${fields}</details>`;
}

/** Deeper fields are named by dotted paths, as the errors name them. */
const depthMax = 3;

async function schemaTable(schema, context) {
  const rows = [];
  for (const field of fieldsOf(context.document, schema))
    rows.push([
      `<code>${escape(field.path)}</code>${field.isRequired ? ' <strong>required</strong>' : ''}`,
      typeOf(context.document, field.schema),
      await context.markdown(field.description),
    ]);
  return rows.length === 0 ? '' : table(['Field', 'Type', 'What it is'], rows);
}

function fieldsOf(document, given, { prefix = '', depth = 0 } = {}) {
  const schema = objectIn(document, given);
  if (schema === undefined || depth > depthMax) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const own = resolve(document, value);
    const field = {
      path,
      schema: value,
      isRequired: required.has(name),
      description: value.description ?? own.description ?? '',
    };
    return [
      field,
      ...fieldsOf(document, own.items ?? own, {
        prefix: own.items === undefined ? path : `${path}[]`,
        depth: depth + 1,
      }),
    ];
  });
}

/** The object that a schema is, or has among its alternatives. */
function objectIn(document, given) {
  const schema = resolve(document, given);
  if (schema === undefined) return undefined;
  if (schema.properties !== undefined) return schema;
  const options = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
  const objects = options.map((one) => objectIn(document, one)).filter((one) => one !== undefined);
  if (schema.allOf !== undefined && objects.length > 0)
    return {
      properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
      required: objects.flatMap(({ required }) => required ?? []),
    };
  return objects[0];
}

function typeOf(document, given) {
  const schema = resolve(document, given) ?? {};
  if (schema.enum !== undefined) return schema.enum.map((one) => `<code>${escape(String(one))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escape(schema.const)}</code>`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map((one) => typeOf(document, one)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(document, schema.items)}`;
  const names = [schema.type ?? 'object'].flat();
  return `${names.join(' or ')}${limits(schema)}`;
}

function limits({ minLength, maxLength, minimum, maximum, format }) {
  const told = [
    ...(format === undefined || format === 'double' ? [] : [format]),
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters`]),
    ...(minimum === undefined && maximum === undefined ? [] : [`${minimum ?? ''} to ${maximum ?? '…'}`]),
  ];
  return told.length === 0 ? '' : `, ${escape(told.join(', '))}`;
}

const table = (heads, rows) =>
  `<div class="wide" tabindex="0"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

async function eventsPage(document, context) {
  const parts = [
    '<h1>Webhook events</h1>',
    '<p>What the service POSTs to your endpoint, signed. <a href="/docs/guides/webhooks">The guide on webhooks</a> says how to check the signature and what is sent when.</p>',
  ];
  for (const [name, item] of Object.entries(document.webhooks)) {
    const { description, requestBody } = item.post;
    parts.push(
      `<section class="call"><h2 id="${name}"><a href="#${name}"><code>${name}</code></a></h2>${await context.markdown(description ?? '')}${await bodyPart({ requestBody }, context)}</section>`,
    );
  }
  return parts.join('\n');
}
