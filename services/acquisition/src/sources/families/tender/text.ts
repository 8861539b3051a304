import { plainLine, plainText } from '../../../extract/formats/plain.ts';
import { requirementText } from './requirement.ts';
import { separated } from './words.ts';

export interface TenderText {
  readonly title: string | undefined;
  readonly buyer: readonly string[];
  readonly closing: string | undefined;
  readonly description: string | undefined;
  readonly facts: Readonly<Record<string, string | undefined>>;
}

/** Facts first, then the requirement: one passage from the beginning can support them. */
export function tenderText({ title, buyer, closing, description, facts }: TenderText): string {
  const plainTitle = plainLine(title);
  const lines = [
    plainTitle,
    labelled('Buyer', [...new Set(buyer.map(plainLine))].join(', ')),
    labelled('Closing', plainLine(closing)),
    requirementText(separated(plainText(description)), plainTitle),
    ...Object.entries(facts).map(([label, value]) => labelled(label, plainLine(value))),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`;
}
