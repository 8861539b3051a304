import type { EventIdentifier } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { EVENT_SCHEMES, type EventNumber, type EventScheme, normalNumber } from '../deduplication/event-key.ts';
import { checkText, refuse } from './checked.ts';

const MAX_NUMBERS = 10;
const MAX_NUMBER_LENGTH = 200;
const SCHEMES: ReadonlySet<string> = new Set(EVENT_SCHEMES);

/** The numbers of an event, distinct and normalised; throws a refusal inside a check. */
export function checkNumbers(identifiers: readonly EventIdentifier[]): EventNumber[] {
  if (identifiers.length > MAX_NUMBERS) refuse(`more than ${MAX_NUMBERS} event_identifiers`);
  const distinct = new Map<string, EventNumber>();
  for (const { scheme, value } of identifiers) {
    if (!isScheme(scheme)) refuse(`an event identifier's scheme is not ${EVENT_SCHEMES.join(', ')}`);
    const number = normalNumber(checkText('an event identifier', value, MAX_NUMBER_LENGTH));
    if (number === undefined) refuse('an event identifier has neither letters nor digits');
    else distinct.set(`${scheme} ${number}`, { scheme, value: number.slice(0, MAX_NUMBER_LENGTH) });
  }
  return [...distinct.values()];
}

function isScheme(scheme: string): scheme is EventScheme {
  return SCHEMES.has(scheme);
}
