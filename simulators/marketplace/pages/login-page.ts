import express, { type Request, type Response, type Router } from 'express';
import { queryText } from '../../kit/admin-routes.ts';
import { escapeHtml, sendPage } from '../../kit/html-page.ts';
import { rawBodyOf } from '../../kit/request-body.ts';
import { readUserId } from '../records/user-book.ts';
import type { World } from '../records/world.ts';
import { badRequest, unauthorized } from '../wire/refusals.ts';
import type { Application } from '../wire/wire-routes.ts';
import { wireTime } from '../wire/wire-time.ts';

/** Where a browser goes after the consent, as it is registered for the application. */
export interface ConsentSettings {
  /** Absent: a page that says thank you. */
  readonly acceptUrl?: string | undefined;
  readonly rejectUrl?: string | undefined;
  /** Whether the address has the token and its end, too. */
  readonly displayToken?: boolean | undefined;
}

interface Asked {
  readonly secretKey: string;
  readonly ruparams: string | undefined;
}

/**
 * `/token-login`: the user signs in, which is here to say who one is, and consents or not. A `userId` in the address
 * consents at once, for programs; the real page has no such thing.
 */
export function loginPage(world: World, application: Application, settings: ConsentSettings): Router {
  const router = express.Router();
  router.get('/token-login', (request, response) => {
    const asked = readAddress(request, application);
    const userId = queryText(request, 'userId');
    if (userId === undefined) sendPage(response, { title: 'Connect an application', html: form(asked) });
    else answer(response, consent(world, settings, { ...asked, userId: readUserId(userId) }), thankYou);
  });
  router.post('/token-login', (request, response) => {
    const asked = readAddress(request, application);
    const sent = new URLSearchParams(rawBodyOf(request).toString('utf8'));
    if (sent.get('answer') === 'reject')
      answer(response, withParameters(settings.rejectUrl, { ruparams: asked.ruparams }), notConnected);
    else answer(response, consent(world, settings, { ...asked, userId: readUserId(sent.get('userId')) }), thankYou);
  });
  return router;
}

const thankYou = {
  title: 'Connected',
  html: '<p>The application may now sell in your name. You can close this page.</p>',
};

const notConnected = { title: 'Not connected', html: '<p>The application may not sell in your name.</p>' };

function answer(response: Response, address: string | undefined, page: { title: string; html: string }): void {
  if (address === undefined) sendPage(response, page);
  else response.redirect(address);
}

function readAddress(request: Request, application: Application): Asked {
  if (queryText(request, 'appId') !== application.appId || queryText(request, 'pkey') !== application.publicKey)
    throw unauthorized('the application or its public key is unknown');
  const secretKey = queryText(request, 'skey') ?? '';
  if (secretKey.length < 32 || secretKey.length > 255) throw badRequest('skey must be text of 32 to 255 characters');
  return { secretKey, ruparams: queryText(request, 'ruparams') };
}

function consent(
  world: World,
  { acceptUrl, displayToken }: ConsentSettings,
  { userId, secretKey, ruparams }: Asked & { readonly userId: string },
): string | undefined {
  const now = world.present();
  world.users.registerSecretKey(userId, secretKey);
  const shown = displayToken === true ? world.users.ensureToken(userId, now) : undefined;
  return withParameters(acceptUrl, {
    userId: String(world.users.ensure(userId).number),
    token: shown?.token,
    exp: shown === undefined ? undefined : wireTime(shown.expiresAt, world.switches),
    ruparams,
  });
}

function withParameters(
  address: string | undefined,
  parameters: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (address === undefined) return undefined;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** It is posted to the address that was opened, which has the keys. */
function form({ ruparams }: Asked): string {
  const from = ruparams === undefined ? '' : `<p class="small">Asked for with ${escapeHtml(ruparams)}</p>`;
  return [
    '<p>An application asks to sell in your name.</p>',
    '<form method="post"><p><label>Your user id <input name="userId" inputmode="numeric" required></label></p>',
    '<button name="answer" value="accept">Allow</button>',
    `<button name="answer" value="reject" formnovalidate>Refuse</button></form>${from}`,
  ].join('\n');
}
