import { plainLine, plainText } from '../extract/plain.ts';

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

/** The text of a tender: what its observation says comes first, so that one passage from the beginning supports it. */
export function tenderText({ title, buyer, closing, description, facts }: TenderText): string {
  const lines = [
    plainLine(title),
    labelled('Buyer', buyer.map(plainLine).join(', ')),
    labelled('Closing', plainLine(closing)),
    plainText(description),
    ...Object.entries(facts).map(([label, value]) => labelled(label, plainLine(value))),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`;
}
