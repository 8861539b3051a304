import { signCursor } from '../../cursor/cursor.ts';
import type { Shortlist } from '../../db/shortlist.ts';
import { type ActionDependencies, type ActionOutput, distinctCompanies } from '../action.ts';
import { toReference } from '../hydrate.ts';
import { encodePositions, remainingPositions } from './skipped-positions.ts';
import type { Walk, WalkStart } from './walk-shortlist.ts';

export function toPage(
  deps: Pick<ActionDependencies, 'cursorKeys'>,
  shortlist: Shortlist,
  limit: number,
  { from, passedOver }: WalkStart,
  walk: Walk,
  stopReason: string,
): ActionOutput {
  const { companies, positions, to } = walk;
  const passedOverSoFar = encodePositions([...passedOver, ...remainingPositions(from, to, positions)]);
  const next = {
    kind: 'shortlist',
    shortlistId: shortlist.id,
    index: BigInt(to),
    passedOver: passedOverSoFar,
  } as const;
  return {
    hydrated: companies.map((company) => ({ survivorId: company.id, company })),
    result: {
      items: companies.map(toReference),
      details: {
        action: 'company_search',
        limit,
        stop_reason: stopReason,
        coverage: shortlist.coverage,
        page: {
          shortlist_id: Number(shortlist.id),
          from,
          to,
          positions,
          passed_over: passedOver,
        },
      },
      settledCompanyIds: distinctCompanies(companies.map((company) => company.id)),
      requestUnits: 1,
      freshEvidenceUnits: countFresh(shortlist, walk),
      asOf: shortlist.asOf,
      judgedAt: walk.judgedAt,
      nextCursor:
        to < shortlist.items.length ? signCursor(deps.cursorKeys, next, shortlist.expiresAt, shortlist) : undefined,
    },
  };
}

function countFresh({ items }: Shortlist, { companies, positions }: Walk): number {
  return companies.reduce((count, company, index) => {
    const fresh = new Set(items[positions[index] ?? -1]?.fresh_observation_ids);
    return count + company.observations.filter((observation) => fresh.has(Number(observation.id))).length;
  }, 0);
}
