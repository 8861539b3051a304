import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { instantFromMicros, microsOf } from '../../../instants.ts';
import type { LiteralHit, LiteralQuery } from '../../../observation-index.ts';
import { filterQueries } from '../query/filters.ts';
import { range } from '../query/query.ts';
import type { Hit } from '../ranking/found-observations.ts';
import { rejectIfIndexGone, type SearchMany } from '../search-many.ts';
import { companiesWith, literalQuery, requiredWords } from './literal-queries.ts';
import { type FilterSources, prepareFilters } from './prepare-filters.ts';

export interface LiteralOptions extends FilterSources {
  readonly searchMany: SearchMany;
  readonly observations: string;
  readonly position: ChangePosition | undefined;
}

export async function findLiterally(
  { searchMany, observations: index, position, ...sources }: LiteralOptions,
  query: LiteralQuery,
  timeLeft: () => number,
): Promise<LiteralHit[]> {
  const words = query.words.map((word) => requiredWords([word], ['name_words']));
  const prepared = prepareFilters({ plan: { phrases: [], excluded: [] }, filters: query.filters }, sources);
  const searches = [...words.map((word) => companiesWith(word, sources.companies)), ...prepared.searches];
  const answers = await searchMany(searches, timeLeft());
  const { context } = prepared.resolve(answers.slice(words.length));
  const filter = [
    ...filterQueries(query.filters, context),
    ...words.flatMap((word, place) => {
      const companies = answers[place];
      return companies ? [literalQuery(word, companies)] : [];
    }),
    ...(query.recordedBy ? [range('recorded_at', { lte: microsOf(query.recordedBy) })] : []),
  ];
  const body = {
    query: { bool: { filter } },
    size: query.limit,
    sort: [{ observed_at: { order: 'desc' } }, { observation_id: { order: 'desc' } }],
    ...(query.before && { search_after: [microsOf(query.before.observedAt), Number(query.before.id)] }),
    track_total_hits: false,
    docvalue_fields: ['observation_id', 'company_id', 'observed_at'],
    _source: false,
    stored_fields: '_none_',
  };
  const found = await searchMany([{ index, body }], timeLeft());
  rejectIfIndexGone([...answers, ...found], position);
  const [answer] = found;
  return (answer?.hits ?? []).map(literalHit);
}

function literalHit({ fields = {} }: Hit): LiteralHit {
  return {
    observationId: BigInt(fields.observation_id?.[0] ?? 0),
    companyId: BigInt(fields.company_id?.[0] ?? 0),
    observedAt: instantFromMicros(BigInt(fields.observed_at?.[0] ?? 0)),
  };
}
