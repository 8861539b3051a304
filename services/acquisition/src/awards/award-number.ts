import type { EventIdentifier } from '../sources/mapped.ts';

const MAX_LENGTH = 200;
/** NIH writes the kind of application before its number, and the year of support behind it: `1R43AI178943-01A1`. */
const NIH = /^\d?([A-Z]{1,2}\d{1,2}[A-Z]{2}\d{6})(?:-\d{2}\w{0,4})?$/;

/** The number of an award as every agency's lists have it, so that one award is one event; undefined for what is none. */
export function awardIdentifier(number: string | undefined): EventIdentifier | undefined {
  const value = number?.trim().toUpperCase() ?? '';
  if (value.length > MAX_LENGTH || value.replace(/\D/g, '').length < 4) return undefined;
  return { scheme: 'project', value: NIH.exec(value)?.[1] ?? value };
}
