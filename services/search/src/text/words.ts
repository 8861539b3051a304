import { normalText } from '@ces/proto/normal-text';

/** These names are ambiguous without their punctuation. */
const SPELLED_OUT: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c#/gu, 'csharp'],
  [/(?<![\p{L}\p{N}])f#/gu, 'fsharp'],
  [/(?<![\p{L}\p{N}])c\+\+/gu, 'cplusplus'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/gu, 'dotnet'],
  [/(?<=\p{L})\.net(?![\p{L}\p{N}])/gu, ' dotnet'],
];

/** Runs of letters and digits, lower case without accents: the form of index and queries. */
export function wordsOf(text: string): string[] {
  let folded = normalText(repairEncoding(text), 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (/[#+]|\.net/.test(folded))
    for (const [pattern, spelling] of SPELLED_OUT) folded = folded.replace(pattern, ` ${spelling} `);
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Repairs UTF-8 that a source decoded as Latin-1 ("Â“REITÂ”", "DorÃ©"). */
function repairEncoding(text: string): string {
  if (!MISREAD.test(text)) return text;
  return text.replace(new RegExp(MISREAD, 'g'), (bytes) => {
    const repaired = Buffer.from(bytes, 'latin1').toString('utf8');
    return repaired.includes('\uFFFD') ? bytes : repaired;
  });
}

const MISREAD = /[\u00c2-\u00f4][\u0080-\u00bf]+/;
