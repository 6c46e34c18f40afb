/** What the marketplace says about a committed request, as far as it matters here. */
export type RequestSays =
  | 'none'
  | 'waiting'
  | 'uncommitted'
  | 'ok'
  | 'try_again'
  | 'timed_out'
  | 'too_many_active'
  | 'refused';

/** How the auction of the request was found by its id. `unlisted`: it is there, and not among those that are up. */
export type AuctionSeen = 'not_there' | 'unlisted' | 'up' | 'over';

/**
 * - `up`, `over`: the auction is or was for sale.
 * - `commit_again`: certainly not up; the same request may be committed again.
 * - `draft_again`: certainly not up, and this request will never be; only then another draft may be made.
 * - `refused`: the same, and for a reason that a retry does not remove.
 * - `wait`: the marketplace has not decided yet.
 */
export type CommitOutcome = 'up' | 'over' | 'commit_again' | 'draft_again' | 'refused' | 'wait';

/**
 * What became of a commit (protocol 2). An auction that is seen up or over counts, whatever the result says. A request is replaced only
 * after a final result *and* a look that shows no auction.
 */
export function commitOutcome(says: RequestSays, seen: AuctionSeen): CommitOutcome {
  if (seen === 'up' || seen === 'over') return seen;
  switch (says) {
    case 'ok':
    case 'none':
    case 'waiting':
      return 'wait';
    case 'uncommitted':
    case 'try_again':
      return 'commit_again';
    case 'timed_out':
    case 'too_many_active':
      return 'draft_again';
    case 'refused':
      return 'refused';
  }
}
