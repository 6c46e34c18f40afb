import express, { type Router } from 'express';
import { queryText } from '../kit/admin-routes.ts';
import { Refusal } from '../kit/fields.ts';
import { escapeHtml, sendPage } from '../kit/html-page.ts';
import { refuseWebPages } from '../kit/start-simulator.ts';

/** A mail that was accepted. */
interface TakenMail {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const keptMax = 1_000;

/** The accepted mails, oldest first; the newest 1,000 are kept until the simulator stops. */
export class Mailbox {
  #mails: TakenMail[] = [];
  #count = 0;

  add(mail: Omit<TakenMail, 'id'>): void {
    this.#count += 1;
    this.#mails = [...this.#mails.slice(1 - keptMax), { id: String(this.#count), ...mail }];
  }

  /** The mails to one address, or all. */
  list(to?: string): readonly TakenMail[] {
    return to === undefined ? this.#mails : this.#mails.filter((mail) => mail.to === to.toLowerCase());
  }

  find(id: string): TakenMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.#mails = [];
  }
}

/** The mailbox for a browser: `/` lists mails, newest first; `/mails/{id}` shows one. `?to=` selects one address. */
export function mailboxPages(mailbox: Mailbox): Router {
  const router = express.Router();
  router.use(refuseWebPages);
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

/** `GET /admin/mails?to=` → `{ mails }`, oldest first; `DELETE /admin/mails` removes them. */
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
