import { stemOf, stemsIn } from '../company/matched-words.ts';
import { placeOf } from '../company/place-of.ts';
import type { CompanyMatch, SupportingObservation } from '../session/client.ts';
import { findPlaces } from '../words/regions.ts';
import type { Period } from './read-period.ts';
import { type NamedArea, nameOfArea, nameOfKind, type QueryReading } from './read-query.ts';

export type ConditionState = 'met' | 'not-shown' | 'unchecked';

interface Condition {
  readonly key: string;
  readonly label: string;
  readonly state: ConditionState;
}

export interface Reasons {
  readonly found: readonly string[];
  readonly missing: readonly string[];
  readonly conditions: readonly Condition[];
}

/** Compares what a query states with what the answer shows of one company. */
export function reasonsOf(company: CompanyMatch, reading: QueryReading): Reasons {
  const text = [company.name, ...textsOf(company)].join('\n');
  const stems = stemsIn(text);
  const isFound = (word: string) => (/[\s-]/.test(word) ? hasRound(text, word) : stems.has(stemOf(word)));
  return {
    found: reading.words.filter(isFound),
    missing: reading.words.filter((word) => !isFound(word)),
    conditions: [
      ...reading.phrases.map((phrase) => ({ key: `"${phrase}`, label: `“${phrase}”`, state: 'met' }) as const),
      ...reading.kinds.map((named) => ({
        key: named.kind,
        label: nameOfKind(named),
        state: met(company.observations.some(({ kind }) => kind === named.kind)),
      })),
      ...reading.areas.map((area) => ({
        key: nameOfArea(area),
        label: nameOfArea(area),
        state: met(isIn(company, area)),
      })),
      ...reading.periods.map((period) => ({
        key: period.text,
        label: period.text,
        state: periodState(company, period),
      })),
      ...reading.amounts.map((text) => ({ key: text, label: text, state: 'unchecked' }) as const),
      ...reading.excluded.map((word) => ({ key: `-${word}`, label: `without “${word}”`, state: 'met' }) as const),
    ],
  };
}

/** A round such as "Series B" is found only as a whole. */
function hasRound(text: string, round: string): boolean {
  const name = round.replace(/\s+round$/i, '').replaceAll(/\s+/g, '\\s+');
  return new RegExp(`\\b${name}\\b`, 'i').test(text);
}

function met(holds: boolean): ConditionState {
  return holds ? 'met' : 'not-shown';
}

function isIn(company: CompanyMatch, { country, region }: NamedArea): boolean {
  return company.observations.some((observation) => {
    if (observation.country !== country) return false;
    if (!region) return true;
    const named = textsOfObservation(observation).flatMap((text) => findPlaces(text.replaceAll(company.name, '')));
    return placeOf(observation, company.name).region === region || named.some((place) => place.region === region);
  });
}

/** A profile has no date, so nothing of it is inside or outside a period. */
function periodState({ observations }: CompanyMatch, { from = -Infinity, until = Infinity }: Period): ConditionState {
  const times = observations.flatMap(({ occurred_at }) => (occurred_at === null ? [] : [Date.parse(occurred_at)]));
  if (times.length === 0) return 'unchecked';
  return met(times.some((time) => time >= from && time < until));
}

function textsOf({ observations }: CompanyMatch): readonly string[] {
  return observations.flatMap(textsOfObservation);
}

function textsOfObservation({ observed_fact, evidence }: SupportingObservation): readonly string[] {
  return [observed_fact, ...evidence.map(({ excerpt }) => excerpt)];
}
