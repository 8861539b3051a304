import type { Country, Kind } from '../words.ts';

/** What the text of an item tells. */
export type Finding =
  | {
      readonly type: 'found';
      readonly kind: Kind;
      /** What the company did, before the sentences that say it: `reported a change of officers or directors`. */
      readonly claim: string;
      /** Passages of the text. */
      readonly sentences: readonly string[];
      /** Of a site. */
      readonly country?: Country;
    }
  | { readonly type: 'refused' | 'left_out'; readonly reason: string };
