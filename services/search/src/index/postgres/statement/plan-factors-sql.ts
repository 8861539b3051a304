import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Place, Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { AVOIDED_FACTOR, NEAR_SHARE, OUTSIDE_TIME_FACTOR } from '../../../ranking/weights.ts';
import { instantText } from '../../instants.ts';
import type { Parameters } from './parameters.ts';

/** The tsquery does not exclude longer names that mean another place. */
export function anyPlace(plan: Plan, parameters: Parameters): string {
  return anyPhrase(
    plan.places.flatMap((place) => [...place.names, ...place.near]),
    parameters,
  );
}

function atPlace({ names, except }: Place, parameters: Parameters): string {
  const named = anyPhrase(names, parameters);
  return except.length > 0 ? `(${named} && !!${anyPhrase(except, parameters)})` : named;
}

function anyPhrase(phrases: readonly string[], parameters: Parameters): string {
  return `(${phrases.map((phrase) => `phraseto_tsquery('english', ${parameters.add(phrase, 'text')})`).join(' || ')})`;
}

export function placeGain(plan: Plan, gain: number, parameters: Parameters): string {
  if (plan.places.length === 0) return '0::float8';
  const countries = plan.places.map((place) => place.country).filter((country) => country !== 0);
  const places = plan.places.map((place) => atPlace(place, parameters)).join(' || ');
  const isThere = `e.text @@ (${places}) or e.country = any(${parameters.add(countries, 'smallint[]')})`;
  const near = plan.places.flatMap((place) => place.near);
  const isNear = near.length > 0 ? ` when e.text @@ ${anyPhrase(near, parameters)} then ${gain * NEAR_SHARE}` : '';
  return `case when ${isThere} then ${gain}::float8${isNear} else 0 end`;
}

export function kindFactor(plan: Plan, parameters: Parameters): string {
  if (plan.kinds.length === 0) return '1::float8';
  const factors = plan.kinds.map(
    (kind) => `when ${parameters.add(kind.kind, 'int')} then ${parameters.add(kind.factor, 'float8')}`,
  );
  return `case e.kind ${factors.join(' ')} else 1 end`;
}

export function timeFactor(plan: Plan, parameters: Parameters): string {
  const instant = (at: Timestamp) => parameters.add(instantText(at), 'timestamptz');
  const outside = [
    ...(plan.since ? [`e.occurred_at < ${instant(plan.since)}`] : []),
    ...(plan.until ? [`e.occurred_at >= ${instant(plan.until)}`] : []),
  ];
  return outside.length > 0 ? `case when ${outside.join(' or ')} then ${OUTSIDE_TIME_FACTOR} else 1 end` : '1::float8';
}

export function avoidedFactor(plan: Plan, parameters: Parameters): string {
  if (plan.avoided.length === 0) return '1::float8';
  return `case when e.text @@ ${anyPhrase(plan.avoided, parameters)} then ${AVOIDED_FACTOR} else 1 end`;
}
