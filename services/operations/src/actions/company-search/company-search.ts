import { create } from '@bufbuild/protobuf';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type CompanySearchInput, CompanySearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import { parseCompanySearch } from '../../input/parse.ts';
import type { Operation } from '../../model/operation.ts';
import type { ActionDependencies, ActionOutput, Bounds, PaymentPath, RequestedAction } from '../action.ts';
import { admissibleLimit, effectiveLimit } from '../effective-search.ts';
import { sandboxPaymentPath } from '../sandbox-outcome.ts';
import { searchFirstPage } from './first-page.ts';
import { isLaterPage, openLaterPage, readLaterPage } from './later-page.ts';

export function requestCompanySearch(
  deps: ActionDependencies,
  input: CompanySearchInput = create(CompanySearchInputSchema),
  background: boolean,
): RequestedAction {
  const form = parseCompanySearch(input);
  return {
    input: { action: 'company_search', form },
    admit: (principal, now) => admit(deps, principal, form, background, now),
    admitUnseen: (principal) => admitUnseen(principal, form),
  };
}

function admitUnseen({ testMode, pageLimit }: Principal, form: CompanySearchForm): PaymentPath | undefined {
  const worstCaseUnits = effectiveLimit(form);
  return testMode || isLaterPage(form) || worstCaseUnits > pageLimit ? undefined : { kind: 'hold', worstCaseUnits };
}

/** A first page runs under a hold. The cost of a later page is known after a read. */
async function admit(
  deps: ActionDependencies,
  principal: Principal,
  form: CompanySearchForm,
  background: boolean,
  now: Date,
): Promise<PaymentPath> {
  const limit = admissibleLimit(form, principal);
  if (!isLaterPage(form))
    return sandboxPaymentPath(deps, principal.testMode, form.query, limit) ?? { kind: 'hold', worstCaseUnits: limit };
  const start = await openLaterPage(deps, principal.accountId, form, now);
  const worstCaseUnits = Math.min(limit, start.shortlist.items.length - start.from);
  if (background) return { kind: 'hold', worstCaseUnits };
  return { kind: 'charge', worstCaseUnits, perform: (bounds) => readLaterPage(deps, form, start, bounds) };
}

export async function performCompanySearch(
  deps: ActionDependencies,
  operation: Operation,
  fence: bigint,
  form: CompanySearchForm,
  bounds: Bounds,
): Promise<ActionOutput> {
  if (!isLaterPage(form)) return await searchFirstPage(deps, operation, fence, form, bounds);
  const start = await openLaterPage(deps, operation.accountId, form, operation.createdAt);
  return await readLaterPage(deps, form, start, bounds);
}
