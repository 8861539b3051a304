import type { FactCondition, Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { rangesOf } from '../../../facts/condition-codes.ts';
import type { CodeRange } from '../../../facts/fact-codes.ts';
import { UNKNOWN_FACTOR, UNMET_FACTOR } from '../../../ranking/weights.ts';
import type { Parameters } from './parameters.ts';

export function factFactor(plan: Plan, parameters: Parameters): string {
  const factors = plan.facts.map((condition) => factorOf(condition, parameters));
  return factors.length > 0 ? factors.join(' * ') : '1::float8';
}

function factorOf(condition: FactCondition, parameters: Parameters): string {
  const { meeting, all } = rangesOf(condition);
  return `case when e.facts is null then ${UNKNOWN_FACTOR}::float8
                      when ${hasAny(meeting, parameters)} then 1::float8
                      when ${hasAny([all], parameters)} then ${UNMET_FACTOR}::float8 else ${UNKNOWN_FACTOR}::float8 end`;
}

function hasAny(ranges: readonly CodeRange[], parameters: Parameters): string {
  const within = ranges.map(
    ({ from, to }) => `code between ${parameters.add(from, 'int')} and ${parameters.add(to, 'int')}`,
  );
  return `exists (select from unnest(e.facts) code where ${within.join(' or ') || 'false'})`;
}
