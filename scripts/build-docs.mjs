// web/docs/dist: the first page, the reference of the interface, and the guides of docs/reference as pages; all without scripts but the
// interactive page. Made by npm run web:build.
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { buildOnce } from './build-once.mjs';
import { referencePages } from './docs-reference.mjs';
import { installScalar, scalar } from './install-scalar.mjs';

/** In the order of the list. */
export const guides = [
  ['first-hour', 'The first hour', 'from nothing to a verified webhook'],
  ['api-examples', 'Examples of calls', 'with curl and what is answered'],
  ['sandbox', 'The sandbox', 'try everything on a simulated marketplace'],
  ['webhooks', 'Webhooks', 'events, signatures, retries'],
  ['errors', 'Errors', 'what each code means'],
  ['client', 'TypeScript client', 'for Node and other programs'],
  ['python-client', 'Python client', 'typed, with retries'],
  ['generated-clients', 'Generated clients', 'for every other language'],
  ['command-line', 'Command line', 'send files, listen to webhooks'],
  ['versioning', 'Versions and changes', 'what stays compatible'],
  ['changelog', 'Changelog', 'what is new', 'CHANGELOG.md'],
].map(([name, title, about, file = `docs/reference/${name}.md`]) => ({ name, title, about, file }));

/** @param {string} root folder of the project */
export const buildDocs = (root) =>
  buildOnce(root, {
    title: 'building the reference and the guides',
    result: join('web', 'docs', 'dist'),
    sources: [
      ...guides.map(({ file }) => file),
      'scripts/build-docs.mjs',
      'scripts/docs-reference.mjs',
      'scripts/build-once.mjs',
      'docs/openapi.json',
      'web/dashboard/src/favicon.svg',
      'web/docs/start.html',
      'web/docs/reference.html',
      'web/docs/guide.html',
      'web/docs/docs.css',
      'web/docs/reference.js',
      'examples/first-hour',
      'examples/verify-webhook',
    ],
    versions: JSON.stringify(scalar),
    // The best quality takes 14 s for the reference's program, and saves 10 %.
    quality: 9,
    make: (folder) => make(root, folder),
  });

async function make(root, folder) {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, 'guides'));
  const assets = {
    'scalar.js': await installScalar(),
    'reference.js': join(root, 'web/docs/reference.js'),
    'docs.css': join(root, 'web/docs/docs.css'),
    'favicon.svg': join(root, 'web/dashboard/src/favicon.svg'),
  };
  const names = {};
  for (const [name, path] of Object.entries(assets)) names[name] = await addAsset(folder, name, path);
  const reference = await readFile(join(root, 'web/docs/reference.html'), 'utf8');
  await writeFile(join(folder, 'try.html'), filled(reference, names));
  const template = filled(await readFile(join(root, 'web/docs/guide.html'), 'utf8'), names);
  const write = (path, page) => writeFile(join(folder, `${path}.html`), pageOf(template, page));
  await writeStart(root, write);
  await writeReference(root, { folder, write });
  await writeGuides(root, { folder, write });
}

/** Key, first item, first webhook, and where to go on. */
async function writeStart(root, write) {
  const start = await readFile(join(root, 'web/docs/start.html'), 'utf8');
  const cards = guides.map(({ name, title, about }) => `<li><a href="/docs/guides/${name}">${title}</a> ${about}</li>`);
  await write('index', {
    title: 'Start',
    description: 'Send items, publish them as auctions, hear by webhooks.',
    part: 'Start',
    menuName: 'Guides',
    menu: menuOf('/docs/guides', guides),
    content: start.replace('{{cards}}', cards.join('')),
  });
}

async function writeReference(root, { folder, write }) {
  await mkdir(join(folder, 'reference'));
  const document = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  const { menu, contents } = await referencePages(document, (text) => render(text, { file: 'docs/reference/x.md' }));
  for (const [name, content] of contents) {
    const title = name === 'index' ? 'Reference' : menu.find((one) => one.name === name).title;
    await write(`reference/${name}`, {
      title,
      description: `${title}: every call, field and answer.`,
      part: 'Reference',
      content,
      menuName: 'Reference',
      menu: menuOf('/docs/reference', menu, name),
    });
  }
}

async function writeGuides(root, { folder, write }) {
  for (const guide of guides) {
    const content = await render(await withCode(root, guide), guide);
    await write(`guides/${guide.name}`, {
      title: guide.title,
      description: `${guide.title}: ${guide.about}.`,
      part: 'Guides',
      content,
      menuName: 'Guides',
      menu: menuOf('/docs/guides', guides, guide.name),
    });
  }
  await cp(join(folder, 'guides', `${guides[0].name}.html`), join(folder, 'guides', 'index.html'));
}

/** A paragraph that is only a link to a program of examples/ becomes the program: readers of the served pages have no repository. */
async function withCode(root, { file }) {
  const text = await readFile(join(root, file), 'utf8');
  const pieces = text.split(/^\[[^\]]+\]\(\.\.\/\.\.\/(examples\/[^)]+\.\w+)\)$/m);
  const shown = pieces.map(async (piece, index) =>
    index % 2 === 0 ? piece : `\`\`\`\n${await readFile(join(root, piece), 'utf8')}\`\`\``,
  );
  return (await Promise.all(shown)).join('');
}

const parts = {
  Start: '/docs/',
  Reference: '/docs/reference/',
  'Try it': '/docs/try',
  Guides: '/docs/guides/',
  Dashboard: '/dashboard',
};

const pageOf = (template, { part, ...page }) => {
  const links = Object.entries(parts).map(
    ([name, path]) => `<a href="${path}"${name === part ? ' aria-current="true"' : ''}>${name}</a>`,
  );
  return Object.entries({ ...page, parts: links.join('') }).reduce(
    (html, [name, value]) => html.replaceAll(`{{${name}}}`, () => value),
    template,
  );
};

/** Under a name that changes with its content, so that it is cached for ever. Returns its address. */
async function addAsset(folder, name, path) {
  const bytes = await readFile(path);
  const extension = extname(name);
  const sum = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
  const file = `${basename(name, extension)}-${sum}${extension}`;
  await writeFile(join(folder, 'assets', file), bytes);
  return `/docs/assets/${file}`;
}

const filled = (template, names) =>
  template.replace(/\{\{asset (\S+)\}\}/g, (_all, name) => {
    if (names[name] === undefined) throw new Error(`there is no asset ${name}`);
    return names[name];
  });

const menuOf = (folder, pages, current) =>
  pages
    .map(({ name, title }) => {
      const here = name === current ? ' aria-current="page"' : '';
      return `<li><a href="${folder}/${name}"${here}>${title}</a></li>`;
    })
    .join('');

/** Headings get the addresses that the pages link to; tables and code scroll by themselves. */
export async function render(text, { file }) {
  // Here, because the packages may not be installed when this file is loaded.
  const { Marked } = await import('marked');
  const taken = new Map();
  return new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const slug = slugOf(words);
        const count = taken.get(slug) ?? 0;
        taken.set(slug, count + 1);
        return `<h${depth} id="${count === 0 ? slug : `${slug}-${count}`}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const to = addressOf(href, file);
        const words = this.parser.parseInline(tokens);
        return to === undefined ? words : `<a href="${to}">${words}</a>`;
      },
      image: ({ text: alternative }) => alternative,
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>')
          // A header without a word is announced as one all the same.
          .replaceAll('<th></th>', '<td></td>')
          .replaceAll('<pre>', '<pre tabindex="0">'),
    },
  }).parse(text);
}

/** As GitHub makes them. */
const slugOf = (words) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Where a page of the repository is served; undefined for what only the repository has: its words stay. */
function addressOf(href, file) {
  if (/^(https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${file}`);
  const path = pathname.slice(1);
  if (path === 'docs/openapi.json') return '/openapi.json';
  const guide = guides.find((one) => one.file === path);
  return guide && `/docs/guides/${guide.name}${hash}`;
}
