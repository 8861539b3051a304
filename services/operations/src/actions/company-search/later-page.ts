import { invalidCursor, openCursor } from '../../cursor/cursor.ts';
import { findShortlist, type Shortlist } from '../../db/shortlist.ts';
import { pageFingerprint } from '../../input/fingerprint.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import type { ActionDependencies, ActionOutput, Bounds } from '../action.ts';
import { effectiveLimit } from '../effective-search.ts';
import { toPage } from './page.ts';
import { walkShortlist } from './walk-shortlist.ts';

/** Where on which shortlist a page begins. */
export interface PageStart {
  readonly shortlist: Shortlist;
  readonly from: number;
}

type LaterPageForm = CompanySearchForm & { readonly cursor: string };

export function isLaterPage(form: CompanySearchForm): form is LaterPageForm {
  return form.cursor !== undefined;
}

/** Opens the cursor of a later page; INVALID_CURSOR unless it is this account's, of this very search, and alive at `now`. */
export async function openLaterPage(
  { db, cursorKeys }: Pick<ActionDependencies, 'db' | 'cursorKeys'>,
  accountId: bigint,
  form: LaterPageForm,
  now: Date,
): Promise<PageStart> {
  const fingerprint = pageFingerprint({ action: 'company_search', form });
  const { position } = openCursor(cursorKeys, form.cursor, now, { accountId, pageFingerprint: fingerprint });
  if (position.kind !== 'shortlist') throw invalidCursor();
  const shortlist = await findShortlist(db, accountId, position.shortlistId);
  if (!shortlist?.pageFingerprint.equals(fingerprint) || !(shortlist.expiresAt > now)) throw invalidCursor();
  return { shortlist, from: Number(position.index) };
}

/** A later page of a stored shortlist: nothing is planned, ranked or acquired again. */
export async function readLaterPage(
  deps: ActionDependencies,
  form: CompanySearchForm,
  { shortlist, from }: PageStart,
  bounds: Bounds,
): Promise<ActionOutput> {
  const limit = effectiveLimit(form);
  const walk = await walkShortlist(deps, shortlist.items, from, limit, bounds);
  return toPage(deps, shortlist, limit, from, walk, 'shortlist_page');
}
