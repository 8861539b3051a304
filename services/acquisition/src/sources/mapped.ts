import type { CountryName, KindName } from '@ces/proto/catalog';
import type { IdentifierScheme } from '@ces/proto/registry-identifier';

/** What one raw record says; one record may say several things, or none. */
export type Mapped = MappedObservation | Closing | LeftOut;

/** A dated fact about a company, or with kind `company_profile` what it does. */
export interface MappedObservation {
  readonly type: 'observation';
  /** Distinguishes several of one raw record (`5.02`); stable, at most 100 characters. */
  readonly part?: string;
  readonly company: MappedCompany;
  readonly kind: KindName;
  /** One sentence, at most 2000 code points, no e-mail address or telephone number. */
  readonly observedFact: string;
  /** Default: the sentence of the kind. */
  readonly whyItMayMatter?: string;
  /** Tender: the buyer's; job: the place of work, remote: the employer's; facility: the site's; others: headquarters. */
  readonly country: CountryName;
  /** 0.9 registry or structured official record, 0.8 structured feed, 0.7 text matched by rule, 0.5 inferred. */
  readonly confidence: number;
  /** What the source says of the event; absent only for profiles. */
  readonly occurredAt?: Date;
  /** A tender's closing date; absent: the default of the kind, counted from the day it was last seen where the kind says so. */
  readonly expiresAt?: Date;
  /** What the event is called in the source, for same-event matching; at most 1000 code points. */
  readonly title?: string;
  readonly eventIdentifiers: readonly EventIdentifier[];
  /** NAICS 2022 sectors, only from codes that the source itself reports (`sectorOf`). */
  readonly categories: readonly string[];
  /** Passages of the extracted text, cut by `chooseExcerpt`; 1..10. */
  readonly excerpts: readonly string[];
  /** Default: the raw record's. */
  readonly sourceUri?: string;
}

/** A company as the record names it; lookup resolves it: identifiers, then hostname, then name within the country. */
export interface MappedCompany {
  /** The source's own key of the company; default: its first number that identifies (decision 0015), else country and name. */
  readonly key?: string;
  readonly name: string;
  /** Headquarters, or the country of the record when the source names no other. */
  readonly country: CountryName;
  /** Hostnames of its websites that this record supports, at most 20. */
  readonly hostnames: readonly string[];
  /** As the source writes them; one that fails the form of its scheme is dropped with a count (`@ces/proto/registry-identifier`). */
  readonly identifiers: readonly { readonly scheme: IdentifierScheme; readonly value: string }[];
  /** Names that it bore before, with their dates where the source gives some; the first 50 count. */
  readonly formerNames?: readonly MappedFormerName[];
}

export interface MappedFormerName {
  readonly name: string;
  readonly since?: Date;
  readonly until?: Date;
}

/** What makes records of two sources the same event. */
type EventScheme = 'solicitation' | 'accession' | 'permit' | 'project' | 'posting';

export interface EventIdentifier {
  readonly scheme: EventScheme;
  readonly value: string;
}

/** An award, cancellation or closing: expires what was published under the identifiers, by this source or another. */
export interface Closing {
  readonly type: 'closing';
  readonly eventIdentifiers: readonly EventIdentifier[];
  readonly reason: 'awarded' | 'cancelled' | 'closed';
  readonly closedAt: Date;
  /** What it closes; default: procurement requests. */
  readonly kind?: KindName;
  /** Whose event it was, where the record says so: most numbers are unique only for their issuer. */
  readonly company?: MappedCompany;
}

/** Rightly not an observation (another form type, a pooled fund); counted by its reason and no fault. */
export interface LeftOut {
  readonly type: 'left_out';
  readonly reason: string;
}
