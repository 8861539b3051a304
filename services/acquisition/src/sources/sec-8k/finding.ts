import type { CountryName, KindName } from '@ces/proto/catalog';

export type Finding =
  | {
      readonly type: 'found';
      readonly kind: KindName;
      /** Precedes the sentences, as in `reported a change of officers or directors`. */
      readonly claim: string;
      /** Verbatim passages of the text. */
      readonly sentences: readonly string[];
      /** Country of the site. */
      readonly country?: CountryName;
    }
  | { readonly type: 'refused' | 'left_out'; readonly reason: string };
