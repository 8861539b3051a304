/** Matches "1,200,000.5" and "2447.1". */
const ENGLISH = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
/** Matches "5 000 000,50" with any kind of space. */
const BLANKS = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/;
/** Matches "1.250.000". A single dot is a decimal point. */
const DOTS = /^[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d{1,2})?$/;
/** Matches "12,5" and "0,125". */
const DECIMAL_COMMA = /^(?:\d+,\d{1,2}|0,\d+)$/;

/** English and Canadian French notation; undefined for other digits, such as a date. */
export function writtenNumber(text: string): number | undefined {
  if (ENGLISH.test(text)) return Number(text.replaceAll(',', ''));
  if (BLANKS.test(text)) return Number(text.replace(/\s/g, '').replace(',', '.'));
  if (DOTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return DECIMAL_COMMA.test(text) ? Number(text.replace(',', '.')) : undefined;
}
