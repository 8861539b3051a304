export interface Industry {
  /** Reads after "a company in". */
  readonly name: string;
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
