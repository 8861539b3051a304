interface Searched {
  readonly usage: { readonly id: number; readonly request_key: string };
  readonly query: string | null;
}

export function searchLoaded<T extends Searched>(usages: readonly T[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return usages.filter(({ usage, query }) => {
    const searched = `${usage.id} ${usage.request_key} ${query ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
