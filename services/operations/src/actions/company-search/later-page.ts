import type { Queryable } from '@ces/chassis/postgres/pool';
import { invalidCursor, openCursor } from '../../cursor/cursor.ts';
import type { CursorKeys } from '../../cursor/keys.ts';
import { findShortlist, type Shortlist } from '../../db/shortlist.ts';
import { pageFingerprint } from '../../input/fingerprint.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import type { Bounds, Work, WorkTools } from '../action.ts';
import { effectiveLimit } from '../effective-search.ts';
import { toPage } from './company-search.ts';
import { walkShortlist } from './walk-shortlist.ts';

/** Where on which shortlist a page begins. */
export interface PageStart {
  readonly shortlist: Shortlist;
  readonly from: number;
}

/** Opens the cursor of a later page; INVALID_CURSOR unless it is this account's, of this very search, and alive at `now`. */
export async function openPage(
  db: Queryable,
  keys: CursorKeys,
  accountId: bigint,
  form: CompanySearchForm & { readonly cursor: string },
  now: Date,
): Promise<PageStart> {
  const fingerprint = pageFingerprint({ action: 'company_search', form });
  const { place } = openCursor(keys, form.cursor, now, { accountId, pageFingerprint: fingerprint });
  if (place.kind !== 'shortlist') throw invalidCursor();
  const shortlist = await findShortlist(db, accountId, place.shortlistId);
  if (!shortlist?.pageFingerprint.equals(fingerprint) || !(shortlist.expiresAt > now)) throw invalidCursor();
  return { shortlist, from: Number(place.position) };
}

/** A later page of a stored shortlist: nothing is planned, ranked or acquired again. */
export async function continueSearch(
  tools: WorkTools,
  form: CompanySearchForm,
  { shortlist, from }: PageStart,
  bounds: Bounds,
): Promise<Work> {
  const limit = effectiveLimit(form);
  const walk = await walkShortlist(tools, shortlist.items, from, limit, bounds);
  return toPage(tools, shortlist, limit, from, walk, 'shortlist_page');
}
