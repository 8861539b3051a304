import type { CountryName, KindName } from '@ces/proto/catalog';
import type { IdentifierScheme } from '@ces/proto/registry-identifier';

export type Mapped = MappedObservation | Closing | LeftOut;

/** A dated fact about a company. For `company_profile` it is what the company does. */
export interface MappedObservation {
  readonly type: 'observation';
  /**
   * Distinguishes several observations of one raw record (`5.02`). Stable, at most 100 characters.
   */
  readonly part?: string;
  readonly company: MappedCompany;
  readonly kind: KindName;
  /** One sentence, at most 2000 code points, without e-mail addresses and telephone numbers. */
  readonly observedFact: string;
  readonly whyItMayMatter?: string;
  /**
   * Tender: the buyer's. Job: the place of work, for remote work the employer's. Facility: the
   * site's. Others: headquarters.
   */
  readonly country: CountryName;
  /**
   * 0.9: registry or structured official record. 0.8: structured feed. 0.7: text matched by rule.
   * 0.5: inferred.
   */
  readonly confidence: number;
  /** Date of the event by the source; absent only for profiles. */
  readonly occurredAt?: Date;
  /** Closing date of a tender. Absent: the default of the kind. */
  readonly expiresAt?: Date;
  /** Name of the event in the source, for matching the same event; at most 1000 code points. */
  readonly title?: string;
  readonly eventIdentifiers: readonly EventIdentifier[];
  /** NAICS 2022 sectors (`sectorOf`), only from codes that the source itself reports. */
  readonly categories: readonly string[];
  /** 1 to 10 passages of the extracted text, cut by `chooseExcerpt`. */
  readonly excerpts: readonly string[];
}

/** Lookup resolves a company by identifiers, then hostname, then name within the country. */
export interface MappedCompany {
  /**
   * The source's own key of the company. Default: its first number that identifies (decision 0015),
   * else country and name.
   */
  readonly key?: string;
  readonly name: string;
  /** Headquarters, or the country of the record if the source names no other. */
  readonly country: CountryName;
  readonly hostnames: readonly string[];
  /**
   * As the source writes them. One that violates its scheme is dropped and counted
   * (`@ces/proto/registry-identifier`).
   */
  readonly identifiers: readonly { readonly scheme: IdentifierScheme; readonly value: string }[];
  /** Earlier names, with dates if the source gives them. The first 50 count. */
  readonly formerNames?: readonly MappedFormerName[];
}

export interface MappedFormerName {
  readonly name: string;
  readonly since?: Date;
  readonly until?: Date;
}

/** Records of two sources with the same identifier are one event. */
type EventScheme = 'solicitation' | 'accession' | 'permit' | 'project' | 'posting';

export interface EventIdentifier {
  readonly scheme: EventScheme;
  readonly value: string;
}

/** An award, cancellation or closing: observations with its identifiers expire, of all sources. */
export interface Closing {
  readonly type: 'closing';
  readonly eventIdentifiers: readonly EventIdentifier[];
  readonly reason: 'awarded' | 'cancelled';
  readonly closedAt: Date;
  /** Kind that it closes. Default: procurement requests. */
  readonly kind?: KindName;
  /**
   * Company of the event, if the record names it: most numbers are unique only for their issuer.
   */
  readonly company?: MappedCompany;
}

/** Correctly no observation, such as a pooled fund. It is counted by its reason and is no fault. */
export interface LeftOut {
  readonly type: 'left_out';
  readonly reason: string;
}
