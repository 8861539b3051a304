import type { EventIdentifier } from '../../connector/mapped.ts';

const MAX_LENGTH = 200;
const NIH = /^\d?([A-Z]{1,2}\d{1,2}[A-Z]{2}\d{6})(?:-\d{2}\w{0,4})?$/;

/** One award in the lists of several agencies is one event. Undefined if malformed. */
export function awardIdentifier(number: string | undefined): EventIdentifier | undefined {
  const value = number?.trim().toUpperCase() ?? '';
  if (value.length > MAX_LENGTH || value.replace(/\D/g, '').length < 4) return undefined;
  return { scheme: 'project', value: NIH.exec(value)?.[1] ?? value };
}
