/** "1,200,000.5", "2447.1". */
const ENGLISH = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
/** "5 000 000,50", with whichever blank. */
const BLANKS = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/;
/** "1.250.000": one dot alone is of decimals. */
const DOTS = /^[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d{1,2})?$/;
/** "12,5", "0,125". */
const DECIMAL_COMMA = /^(?:\d+,\d{1,2}|0,\d+)$/;

/** The number that digits write as English or Canadian French does; undefined for what is none, as a date with dots. */
export function writtenNumber(text: string): number | undefined {
  if (ENGLISH.test(text)) return Number(text.replaceAll(',', ''));
  if (BLANKS.test(text)) return Number(text.replace(/\s/g, '').replace(',', '.'));
  if (DOTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return DECIMAL_COMMA.test(text) ? Number(text.replace(',', '.')) : undefined;
}
