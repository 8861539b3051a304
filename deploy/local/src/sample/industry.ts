/** Vocabulary of an industry, in the forms that the sample's sentences need. */
export interface Industry {
  /** Reads after "a company in". */
  readonly name: string;
  /** NAICS 2022 sector. */
  readonly sector: string;
  readonly trade: readonly string[];
  /** Reads after the company's name, in the present tense. */
  readonly does: readonly string[];
  readonly sites: readonly string[];
  readonly buys: readonly string[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly roles: readonly string[];
  /** Reads after "partnership on". */
  readonly alliances: readonly string[];
}
