import type { EventIdentifier } from '../../connector/mapped.ts';

const MAX_LENGTH = 200;
/**
 * NIH puts the application type before the number and the support year after it:
 * `1R43AI178943-01A1`.
 */
const NIH = /^\d?([A-Z]{1,2}\d{1,2}[A-Z]{2}\d{6})(?:-\d{2}\w{0,4})?$/;

/**
 * Normalises an award number, so that one award in the lists of several agencies is one event.
 * Returns undefined for a malformed number.
 */
export function awardIdentifier(number: string | undefined): EventIdentifier | undefined {
  const value = number?.trim().toUpperCase() ?? '';
  if (value.length > MAX_LENGTH || value.replace(/\D/g, '').length < 4) return undefined;
  return { scheme: 'project', value: NIH.exec(value)?.[1] ?? value };
}
