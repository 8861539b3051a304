import type { CountryName, KindName } from '@ces/proto/catalog';
import type { IdentifierScheme } from '@ces/proto/registry-identifier';

export type Mapped = MappedObservation | Closing | LeftOut;

export interface MappedObservation {
  readonly type: 'observation';
  /** Distinguishes observations of one raw record (`5.02`). Stable, at most 100 characters. */
  readonly part?: string;
  readonly company: MappedCompany;
  readonly kind: KindName;
  /** One sentence, at most 2000 code points, without contact details. */
  readonly observedFact: string;
  readonly whyItMayMatter?: string;
  /** Tender: the buyer's; job: the work's; facility: the site's; others: the headquarters. */
  readonly country: CountryName;
  /** 0.9: official record; 0.8: structured feed; 0.7: matched by rule; 0.5: inferred. */
  readonly confidence: number;
  /** Date of the event by the source; absent only for profiles. */
  readonly occurredAt?: Date;
  /** Closing date of a tender. Absent: the default of the kind. */
  readonly expiresAt?: Date;
  /** The event's name in the source, which matches events; at most 1000 code points. */
  readonly title?: string;
  readonly eventIdentifiers: readonly EventIdentifier[];
  /** NAICS 2022 sectors (`sectorOf`), only from codes that the source itself reports. */
  readonly categories: readonly string[];
  /** 1 to 10 passages of the extracted text, cut by `chooseExcerpt`. */
  readonly excerpts: readonly string[];
}

/** Lookup resolves by identifiers, then hostname, then name within the country. */
export interface MappedCompany {
  /** Default: the first number that identifies (decision 0015), else country and name. */
  readonly key?: string;
  readonly name: string;
  /** Headquarters, or the country of the record if the source names no other. */
  readonly country: CountryName;
  readonly hostnames: readonly string[];
  /** As written. One that violates its scheme is dropped (`@ces/proto/registry-identifier`). */
  readonly identifiers: readonly { readonly scheme: IdentifierScheme; readonly value: string }[];
  /** With dates if the source gives them. The first 50 count. */
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

export interface Closing {
  readonly type: 'closing';
  readonly eventIdentifiers: readonly EventIdentifier[];
  readonly reason: 'awarded' | 'cancelled';
  readonly closedAt: Date;
  /** Default: procurement requests. */
  readonly kind?: KindName;
  /** If the record names it: most numbers are unique only for their issuer. */
  readonly company?: MappedCompany;
}

/** Correctly no observation, such as a pooled fund. Counted by its reason. */
export interface LeftOut {
  readonly type: 'left_out';
  readonly reason: string;
}
