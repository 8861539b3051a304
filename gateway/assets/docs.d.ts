export interface Section {
  readonly url: string;
  readonly guide: string;
  readonly heading: string;
  readonly text: string;
}

export function fillIn(text: string, values: { readonly address: string; readonly key?: string | undefined }): string;

export function findSections(
  sections: readonly Section[],
  query: string,
): readonly (Section & { readonly snippet: string })[];
