import type { EventIdentifier as EventIdentifierMessage } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import {
  EVENT_SCHEMES,
  type EventIdentifier,
  type EventScheme,
  normalEventIdentifier,
} from '../deduplication/event-key.ts';
import { checkText } from './check-values.ts';
import { refuse } from './checked.ts';

const MAX_IDENTIFIERS = 10;
const MAX_IDENTIFIER_LENGTH = 200;
const SCHEMES: ReadonlySet<string> = new Set(EVENT_SCHEMES);

export function checkEventIdentifiers(identifiers: readonly EventIdentifierMessage[]): EventIdentifier[] {
  if (identifiers.length > MAX_IDENTIFIERS) refuse(`more than ${MAX_IDENTIFIERS} event_identifiers`);
  const distinct = new Map<string, EventIdentifier>();
  for (const { scheme, value } of identifiers) {
    if (!isScheme(scheme)) refuse(`an event identifier's scheme is not ${EVENT_SCHEMES.join(', ')}`);
    const normal = normalEventIdentifier(checkText('an event identifier', value, MAX_IDENTIFIER_LENGTH));
    if (normal === undefined) refuse('an event identifier has neither letters nor digits');
    else distinct.set(`${scheme} ${normal}`, { scheme, value: normal.slice(0, MAX_IDENTIFIER_LENGTH) });
  }
  return [...distinct.values()];
}

function isScheme(scheme: string): scheme is EventScheme {
  return SCHEMES.has(scheme);
}
