import { createHash } from 'node:crypto';
import type { KindName } from '@ces/proto/catalog';
import { normalText } from '@ces/proto/normal-text';

export interface EventIdentifier {
  readonly scheme: EventScheme;
  readonly value: string;
}

export interface EventKey {
  readonly scheme: EventScheme | 'title';
  readonly value: string;
  readonly kind: KindName;
}

export const EVENT_SCHEMES = ['solicitation', 'accession', 'permit', 'project', 'posting'] as const;
export type EventScheme = (typeof EVENT_SCHEMES)[number];

/** Without case, blanks and marks; undefined if nothing is left. */
export function normalEventIdentifier(value: string): string | undefined {
  return (
    normalText(value, 'NFKC')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, '') || undefined
  );
}

const MIN_DISCRIMINATING_LENGTH = 9;
const MIN_DISCRIMINATING_DIGITS = 4;

/** Names one event in every source: an accession number, or one too long for `RFP 2014-1`. */
export function isDiscriminating({ scheme, value }: EventIdentifier): boolean {
  if (scheme === 'accession') return true;
  return value.length >= MIN_DISCRIMINATING_LENGTH && value.replace(/\D/g, '').length >= MIN_DISCRIMINATING_DIGITS;
}

/** Without case, accents and marks; undefined if nothing is left. */
export function normalTitle(title: string): string | undefined {
  const words = normalText(title, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join(' ');
}

export interface NamedEvent {
  readonly kind: KindName;
  readonly eventIdentifiers: readonly EventIdentifier[];
  readonly title: string | undefined;
  readonly occurredAt: Date | undefined;
}

export function eventKeysOf(event: NamedEvent): EventKey[] {
  const { kind, title, occurredAt } = event;
  const identifiers = event.eventIdentifiers.map((identifier) => ({ ...identifier, kind }));
  if (title === undefined || !occurredAt) return identifiers;
  const day = occurredAt.toISOString().slice(0, 10);
  const value = createHash('sha256').update(`${kind}\n${day}\n${title}`).digest('hex');
  return [...identifiers, { scheme: 'title', value, kind }];
}

export function eventKeysFor({
  observationId,
  record,
}: {
  readonly observationId: bigint;
  readonly record: NamedEvent;
}) {
  return { observationId, keys: eventKeysOf(record) };
}
