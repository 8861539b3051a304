import type { Members } from '../extract/members.ts';
import { refuse } from '../sources/refuse.ts';

const MOST_DOLLARS = 1e13;

export function dollarsOf(record: Members, field: string): number | undefined {
  const text = record.text(field)?.replace(/[$,]/g, '');
  if (text === undefined) return undefined;
  if (!/^-?\d{1,13}(?:\.\d{1,8})?$/.test(text)) refuse(field, 'is no sum of money');
  const dollars = Number(text);
  return Math.abs(dollars) <= MOST_DOLLARS ? dollars : refuse(field, 'is no sum of money');
}

export function sayDollars(dollars: number): string {
  return `$${Math.round(dollars).toLocaleString('en-US')}`;
}
