import { normalText } from '@ces/proto/normal-text';

const ABBREVIATIONS: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };

/** The name of a place for comparing: without case, accents and points, and with `St.`, `Ft.` and `Mt.` written out. */
export function plainPlace(name: string): string {
  return normalText(name, 'NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\./g, '')
    .replace(/[‘’]/g, "'")
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:ste?|ft|mt)(?= )/, (short) => ABBREVIATIONS[short] ?? short);
}
