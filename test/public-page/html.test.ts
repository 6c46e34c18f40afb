import test from 'ava';
import { html } from '../../api/public-page/views/html.ts';

test('every value is escaped, in text and in attributes, but what is Html already', (t) => {
  const evil = `"><script>'&amp;`;
  const escaped = '&#34;&#62;&#60;script&#62;&#39;&#38;amp;';
  t.is(
    html`<a href="${evil}">${[evil, html`<b>${evil}</b>`]}</a>`.toString(),
    `<a href="${escaped}">${escaped}<b>${escaped}</b></a>`,
  );
});

test('nothing is shown of what is not there, but zero and the empty text are something', (t) => {
  t.is(html`<p>${null}${undefined}${false}${0}${''}</p>`.toString(), '<p>0</p>');
});

test('what only looks like Html is escaped', (t) => {
  const fake = { toString: () => '<b>' } as unknown as string;
  t.throws(() => html`${fake}`.toString());
});
