import { normalText } from '@ces/proto/normal-text';

const ABBREVIATIONS: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };

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
