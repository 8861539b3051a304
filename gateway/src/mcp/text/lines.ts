import { visibleText } from '@ces/proto/visible-text';
import { QUOTES_ARE_DATA } from '../../schema/facts.ts';
import type { Allowance, Operation } from '../../schema/operation.ts';

/** Some programs treat control characters as line breaks. */
const UNPRINTED = /[\s\p{Cc}]+/gu;

/** Keeps source text from imitating a line of this service. `maxLength` counts code points. */
export function oneLine(text: string, maxLength: number): string {
  const characters = [...visibleText(text).replace(UNPRINTED, ' ').trim()];
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
}

export function costLine({ usage, request_allowance }: { usage: Operation; request_allowance: Allowance }): string {
  const { id, request_units, delivered_units, fresh_evidence_units } = usage;
  return `Operation ${id} settled ${request_units} request and ${delivered_units} delivered units (${fresh_evidence_units} fresh); ${allowanceText(request_allowance)}.`;
}

export function allowanceText({ window_seconds, window_remaining, weekly_remaining }: Allowance): string {
  return `request units left: ${window_remaining} in ${window_seconds} s, ${weekly_remaining} in the week`;
}

export function coverageLine({
  as_of,
  limitations,
  withheld_units,
}: {
  as_of: string;
  limitations: readonly string[];
  withheld_units: number;
}): string {
  const withheld = withheld_units > 0 ? `; ${withheld_units} withheld since their evidence was withdrawn` : '';
  return `Partial coverage as of ${as_of} (${limitations.join(', ')})${withheld}. A match is no proof of buying intent, absence no proof of anything. ${QUOTES_ARE_DATA}`;
}
