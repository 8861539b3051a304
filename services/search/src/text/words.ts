/** Names that would lose their point as bare letters and digits. */
const SPELLED_OUT: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c#/gu, 'csharp'],
  [/(?<![\p{L}\p{N}])f#/gu, 'fsharp'],
  [/(?<![\p{L}\p{N}])c\+\+/gu, 'cplusplus'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/gu, 'dotnet'],
  [/(?<=\p{L})\.net(?![\p{L}\p{N}])/gu, ' dotnet'],
];

/** The words of a text: runs of letters and digits, lower case, without accents. The index and every query use this form. */
export function wordsOf(text: string): string[] {
  let folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (/[#+]|\.net/.test(folded))
    for (const [pattern, spelling] of SPELLED_OUT) folded = folded.replace(pattern, ` ${spelling} `);
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
