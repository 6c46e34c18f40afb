import express, { type Router } from 'express';
import { queryText } from '../kit/admin-routes.ts';
import { escapeHtml, sendPage } from '../kit/html-page.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Mailbox, TakenMail } from './mailbox.ts';

/** The mailbox as people see it: `/` lists what came, newest first; `/mails/{id}` shows one. `?to=` is one address. */
export function mailboxPages(mailbox: Mailbox): Router {
  const router = express.Router();
  router.get('/', (request, response) => {
    const mails = mailbox.list(queryText(request, 'to')).toReversed();
    sendPage(response, { title: 'Mailbox (simulated)', html: listOf(mails) });
  });
  router.get('/mails/:id', (request, response) => {
    const mail = mailbox.find(request.params.id);
    if (mail === undefined) throw new Refusal(404, 'NotFound', `there is no mail ${request.params.id}`);
    sendPage(response, { title: mail.subject, html: pageOf(mail) });
  });
  return router;
}

/** `GET /admin/mails?to=` → `{ mails }`, oldest first; `DELETE /admin/mails` forgets them. */
export function mailboxAdmin(mailbox: Mailbox): Router {
  const router = express.Router();
  router.get('/mails', (request, response) => {
    response.json({ mails: mailbox.list(queryText(request, 'to')) });
  });
  router.delete('/mails', (_request, response) => {
    mailbox.clear();
    response.status(204).end();
  });
  return router;
}

function listOf(mails: readonly TakenMail[]): string {
  if (mails.length === 0) return '<p>No mail has come yet.</p>';
  const rows = mails.map(
    ({ id, at, to, subject }) =>
      `<tr><td>${at}</td><td>${escapeHtml(to)}</td><td><a href="/mails/${id}">${escapeHtml(subject)}</a></td></tr>`,
  );
  return `<table><tr><th>Time</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
}

const pageOf = ({ at, from, to, text }: TakenMail): string =>
  `<p class="small">${at}<br>From ${escapeHtml(from)}<br>To ${escapeHtml(to)}</p>` +
  `<pre style="white-space:pre-wrap">${withLinks(text)}</pre><p><a href="/">All mails</a></p>`;

const withLinks = (text: string): string =>
  escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
