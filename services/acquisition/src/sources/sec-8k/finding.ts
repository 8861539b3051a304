import type { CountryName, KindName } from '@ces/proto/catalog';

/** What the text of an item says. */
export type Finding =
  | {
      readonly type: 'found';
      readonly kind: KindName;
      /** What the company did, before the sentences that say it: `reported a change of officers or directors`. */
      readonly claim: string;
      /** Passages of the text. */
      readonly sentences: readonly string[];
      /** Of a site. */
      readonly country?: CountryName;
    }
  | { readonly type: 'refused' | 'left_out'; readonly reason: string };
