import type { Response } from 'express';

const style = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}',
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}',
  '.images{display:flex;flex-wrap:wrap;gap:.5rem}.images img{max-height:16rem;max-width:100%}.small{color:#555;font-size:.85rem}',
  'button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}',
].join('');

/** A small page without script; `html` is trusted, `title` is not. */
export function sendPage(response: Response, page: { title: string; html: string; status?: number }): void {
  const policy =
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
  const title = escapeHtml(page.title);
  response
    .status(page.status ?? 200)
    .set('Content-Security-Policy', policy)
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
        `<style>${style}</style></head><body><h1>${title}</h1>\n${page.html}\n</body></html>\n`,
    );
}

/** The text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
