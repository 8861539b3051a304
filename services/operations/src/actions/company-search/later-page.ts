import { invalidCursor, openCursor } from '../../cursor/cursor.ts';
import { findShortlist, type Shortlist } from '../../db/shortlist.ts';
import { pageFingerprint } from '../../input/fingerprint.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import type { ActionDependencies, ActionOutput, Bounds } from '../action.ts';
import { effectiveLimit } from '../effective-search.ts';
import { toPage } from './page.ts';
import { decodePositions } from './skipped-positions.ts';
import { type WalkStart, walkShortlist } from './walk-shortlist.ts';

export interface PageStart extends WalkStart {
  readonly shortlist: Shortlist;
}

type LaterPageForm = CompanySearchForm & { readonly cursor: string };

export function isLaterPage(form: CompanySearchForm): form is LaterPageForm {
  return form.cursor !== undefined;
}

/** Throws INVALID_CURSOR for another account or search, or if it has expired at `now`. */
export async function openLaterPage(
  { db, cursorKeys }: Pick<ActionDependencies, 'db' | 'cursorKeys'>,
  accountId: bigint,
  form: LaterPageForm,
  now: Date,
): Promise<PageStart> {
  const fingerprint = pageFingerprint({ action: 'company_search', form });
  const { position } = openCursor(cursorKeys, 'shortlist', form.cursor, now, {
    accountId,
    pageFingerprint: fingerprint,
  });
  const shortlist = await findShortlist(db, accountId, position.shortlistId);
  if (!shortlist?.pageFingerprint.equals(fingerprint) || !(shortlist.expiresAt > now)) throw invalidCursor();
  const { index, passedOver } = position;
  return { shortlist, from: Number(index), passedOver: decodePositions(passedOver) };
}

/** Does not plan, rank or acquire again. */
export async function readLaterPage(
  deps: ActionDependencies,
  form: CompanySearchForm,
  { shortlist, ...start }: PageStart,
  bounds: Bounds,
): Promise<ActionOutput> {
  const limit = effectiveLimit(form);
  const walk = await walkShortlist(deps, shortlist.items, start, limit, bounds);
  return toPage(deps, shortlist, limit, start, walk, 'shortlist_page');
}
