import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { EARLIER_FACTOR } from '../../ranking/weights.ts';
import { instantText } from './instants.ts';
import type { Parameters } from './parameters.ts';

/** Whether a text names any of the places, as a tsquery. */
export function anyPlace(plan: Plan, parameters: Parameters): string {
  const names = plan.places.flatMap((place) => place.names);
  return `(${names.map((name) => `phraseto_tsquery('english', ${parameters.add(name, 'text')})`).join(' || ')})`;
}

/** What a row of `e` gains by being at one of the places. */
export function placeGain(plan: Plan, gain: number, parameters: Parameters): string {
  if (plan.places.length === 0) return '0::float8';
  const countries = plan.places.map((place) => place.country).filter((country) => country !== 0);
  const isThere = `e.text @@ ${anyPlace(plan, parameters)} or e.country = any(${parameters.add(countries, 'smallint[]')})`;
  return `case when ${isThere} then ${parameters.add(gain, 'float8')} else 0 end`;
}

/** The factor on the kind of a row of `e`. */
export function kindFactor(plan: Plan, parameters: Parameters): string {
  if (plan.kinds.length === 0) return '1::float8';
  const factors = plan.kinds.map(
    (kind) => `when ${parameters.add(kind.kind, 'int')} then ${parameters.add(kind.factor, 'float8')}`,
  );
  return `case e.kind ${factors.join(' ')} else 1 end`;
}

/** The factor on a row of `e` that happened before the instant asked for. */
export function timeFactor(plan: Plan, parameters: Parameters): string {
  if (!plan.since) return '1::float8';
  return `case when e.occurred_at < ${parameters.add(instantText(plan.since), 'timestamptz')} then ${EARLIER_FACTOR} else 1 end`;
}
