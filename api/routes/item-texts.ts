/** Descriptions of the item operations that API keys and sessions share. */
export const itemTexts = {
  list: 'By creation, newest first: what is there all the time comes exactly once, whatever is written meanwhile. With `updatedSince` by the last change, oldest first, for following changes. A cursor is good for the account and the filters that it was given for; any other is 400.',
  timeline:
    'What happened to the item, when and by whom, newest first; while it waits, the very first entry says why. `message` is a sentence in English, and `details` says the same as data.',
  status: [
    '`not_listed` takes the item off the service and its auction down. `sold` says that it was sold elsewhere, and takes the auction down too. A publication that was asked for and has not begun is called off.',
    'A live auction with bids can not be taken down: then `listing.failed` (`TAKEDOWN_REFUSED_BIDS`) is sent.',
  ].join('\n'),
  quantity: [
    'How many are left now, the one in the running auction among them: they are sold by one auction after the other. 0 takes the auction down, and more than 0 puts what was sold out on sale again. Each sale counts one down, and its event has `quantityLeft`.',
    '`If-Match` is required: the number is right of the version that was read, and a sale in between makes it 412. `*` sets it whatever was sold.',
    '',
    '- 412 `PRECONDITION_FAILED`: something was sold or changed since; read, and send the number that is right now.',
    '- 428 `PRECONDITION_REQUIRED`: there is no `If-Match`.',
  ].join('\n'),
  delete:
    'An auction that is up comes down first. An item with an order in progress is kept as `archived` until that is over. From the 202 on reads answer 404 (or show `archived`), and a PUT of the same `external_id` makes a new item with a new id.',
  publish: [
    'A draft is published as soon as its images are ready. An item that is off the service comes back and is published. One whose auction ended, or could not be made, is put up again.',
    '',
    '- 409 `CONFLICT`: the item is sold or archived, or an order of it is in progress.',
  ].join('\n'),
} as const;
