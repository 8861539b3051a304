import { plainLine, plainText } from '../extract/plain.ts';
import { fromRequirement } from './requirement.ts';
import { separated } from './words.ts';

/** What of a tender is worth quoting, as its source writes it. */
export interface TenderText {
  readonly title: string | undefined;
  /** From the department down to the office. */
  readonly buyer: readonly string[];
  readonly closing: string | undefined;
  readonly description: string | undefined;
  /** By label; blank ones are left out. */
  readonly facts: Readonly<Record<string, string | undefined>>;
}

/**
 * The text of a tender: what its observation says comes first, then the description from where it tells what is wanted, so
 * that one passage from the beginning supports it.
 */
export function tenderText({ title, buyer, closing, description, facts }: TenderText): string {
  const plainTitle = plainLine(title);
  const lines = [
    plainTitle,
    labelled('Buyer', [...new Set(buyer.map(plainLine))].join(', ')),
    labelled('Closing', plainLine(closing)),
    fromRequirement(separated(plainText(description)), plainTitle),
    ...Object.entries(facts).map(([label, value]) => labelled(label, plainLine(value))),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`;
}
