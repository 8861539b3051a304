import type { CountryName, KindName } from '@ces/proto/catalog';

export type Finding =
  | {
      readonly type: 'found';
      readonly kind: KindName;
      readonly claim: string;
      readonly sentences: readonly string[];
      readonly country?: CountryName;
    }
  | { readonly type: 'refused' | 'left_out'; readonly reason: string };
