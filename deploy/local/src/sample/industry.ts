/** The words of a trade, in the form in which the sentences of the sample need them. */
export interface Industry {
  /** Reads after "a company in". */
  readonly name: string;
  /** NAICS 2022 sector. */
  readonly sector: string;
  /** Endings of company names. */
  readonly trade: readonly string[];
  /** Reads after the company's name, in the present tense. */
  readonly does: readonly string[];
  /** Sites, without an article. */
  readonly sites: readonly string[];
  /** What it asks bids for. */
  readonly buys: readonly string[];
  /** What it launches, with an article where one is needed. */
  readonly products: readonly string[];
  /** Tools in use. */
  readonly tools: readonly string[];
  /** Job titles. */
  readonly roles: readonly string[];
  /** Reads after "partnership on". */
  readonly alliances: readonly string[];
}
