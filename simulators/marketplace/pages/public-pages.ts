import express, { type Response, type Router } from 'express';
import { escapeHtml, sendPage } from '../../kit/html-page.ts';
import type { Listing } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { currentPrice } from '../rules/bids.ts';
import { pathNumber } from '../wire/check-request.ts';
import { itemLink } from '../wire/item-on-wire.ts';
import { notFound } from '../wire/refusals.ts';

const newestShown = 200;

const stateWords: Readonly<Record<Listing['state'], string>> = {
  uncommitted: 'Not published yet',
  waiting: 'Being published',
  active: 'Auction is running',
  ended: 'Ended without a bid',
  sold: 'Sold',
  removed: 'Taken down by the seller',
};

/** Pages for a browser: the newest listings, and one page for each. */
export function publicPages(world: World): Router {
  const router = express.Router();
  router.get('/', (_request, response) => {
    world.present();
    const newest = [...world.listings.all()].filter(isPublic).sort((one, two) => two.itemId - one.itemId);
    sendPage(response, {
      title: 'The marketplace (simulated)',
      html: listPage(newest.slice(0, newestShown), newest.length),
    });
  });
  router.get('/item/:itemId', (request, response) => {
    world.present();
    response.redirect(308, itemLink('', publicListing(world, pathNumber(request, 'itemId'))));
  });
  router.get('/item/:itemId/images/:number', (request, response) => {
    const listing = publicListing(world, pathNumber(request, 'itemId'));
    sendImage(response, world, listing.images[pathNumber(request, 'number') - 1]?.name);
  });
  // Without the title's part of the address there is nothing.
  router.get('/item/:categoryId/:itemId/:slug', (request, response) => {
    world.present();
    const listing = publicListing(world, pathNumber(request, 'itemId'));
    sendPage(response, { title: listing.title, html: itemPage(listing) });
  });
  return router;
}

function listPage(listings: readonly Listing[], total: number): string {
  const rows = listings.map(
    (listing) =>
      `<tr><td><a href="/item/${listing.itemId}">${escapeHtml(listing.title)}</a></td><td>${currentPrice(listing)} kr</td>` +
      `<td>${listing.bids.length}</td><td>${stateWords[listing.state]}</td></tr>`,
  );
  const head = '<tr><th>Title</th><th>Price</th><th>Bids</th><th>State</th></tr>';
  return `<p>${total} listings${total > listings.length ? `, the newest ${listings.length} shown` : ''}.</p><table>${head}${rows.join('')}</table>`;
}

/** The description is the seller's HTML; the page's content security policy keeps it from running anything. */
function itemPage(listing: Listing): string {
  const images = listing.images.map(
    (_name, index) => `<img src="/item/${listing.itemId}/images/${index + 1}" alt="Image ${index + 1}">`,
  );
  const ends =
    listing.endsAt === null
      ? ''
      : ` · ends ${new Date(listing.endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const bids = listing.bids.map((bid) => `<li>${bid.amount} kr by ${escapeHtml(bid.bidder)}</li>`).reverse();
  return [
    `<p><strong>${currentPrice(listing)} kr</strong> · ${listing.bids.length} bids · ${stateWords[listing.state]}${ends}</p>`,
    `<div class="images">${images.join('')}</div>`,
    `<div>${listing.description}</div>`,
    `<h2>Bids</h2><ol>${bids.join('')}</ol>`,
    `<p class="small">Item ${listing.itemId} · references ${escapeHtml(listing.ownReferences.join(', '))} · <a href="/">all listings</a></p>`,
  ].join('\n');
}

function sendImage(response: Response, world: World, name: string | undefined): void {
  const bytes = name === undefined ? undefined : world.images.read(name);
  if (name === undefined || bytes === undefined) throw notFound('such image');
  response.type(name.slice(name.lastIndexOf('.'))).send(bytes);
}

function publicListing(world: World, itemId: number): Listing {
  const listing = world.listings.listing(itemId);
  if (listing === undefined || !isPublic(listing)) throw notFound(`item ${itemId}`);
  return listing;
}

function isPublic(listing: Listing): boolean {
  return listing.state !== 'uncommitted' && listing.state !== 'waiting';
}
