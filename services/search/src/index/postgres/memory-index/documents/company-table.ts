import type { CompanyNumbers } from './company-numbers.ts';
import { growableArray } from './growable-array.ts';

/** `length` is in words. A company is its own survivor unless it was merged into another. */
export interface LoadedCompany {
  readonly id: number;
  readonly survivorId: number;
  readonly length: number;
  readonly domains: readonly LoadedDomain[];
}

/** `supportedUntil` is in microseconds since 1970. */
interface LoadedDomain {
  readonly hostname: string;
  readonly supportedUntil: number;
}

interface Tie {
  readonly document: number;
  readonly supportedUntil: number;
}

const ROW_BYTES = 68;
const DOMAIN_BYTES = 180;
const NONE = -1;

/** A changed company gets a new number, and the old one is dead. */
export class CompanyTable {
  readonly companies = growableArray(Int32Array);
  readonly lengths = growableArray(Int32Array);
  readonly alive = growableArray(Uint8Array);
  readonly survivors = growableArray(Int32Array);
  readonly #documents = growableArray(Int32Array);
  readonly ties = new Map<string, readonly Tie[]>();
  readonly #companyNumbers: CompanyNumbers;
  readonly #numbers = new Map<number, number>();
  #size = 0;
  #words = 0;
  #described = 0;

  constructor(companyNumbers: CompanyNumbers) {
    this.#companyNumbers = companyNumbers;
  }

  get size(): number {
    return this.#size;
  }

  get dead(): number {
    return this.#size - this.#numbers.size;
  }

  get described(): number {
    return this.#described;
  }

  get words(): number {
    return this.#words;
  }

  get bytes(): number {
    return this.#size * ROW_BYTES + this.ties.size * DOMAIN_BYTES;
  }

  add({ id, survivorId, length, domains }: LoadedCompany): number {
    this.remove(id);
    const number = this.#size;
    this.#size += 1;
    const company = this.#companyNumbers.numberOf(id);
    this.companies.set(number, company);
    this.survivors.set(number, this.#companyNumbers.numberOf(survivorId));
    this.lengths.set(number, length);
    this.alive.set(number, 1);
    this.#documents.set(company, number + 1);
    this.#numbers.set(id, number);
    this.#words += length;
    this.#described += length > 0 ? 1 : 0;
    for (const { hostname, supportedUntil } of domains) this.#tie(hostname, { document: number, supportedUntil });
    return number;
  }

  remove(id: number): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    const length = this.lengths.values[number] ?? 0;
    this.#words -= length;
    this.#described -= length > 0 ? 1 : 0;
    this.alive.set(number, 0);
    this.#documents.set(this.companies.values[number] ?? 0, 0);
    this.#numbers.delete(id);
  }

  documentOf(company: number): number | undefined {
    const document = (this.#documents.values[company] ?? 0) + NONE;
    return document === NONE ? undefined : document;
  }

  /** Returns the numbers of companies that current evidence ties to any of the hostnames. */
  companiesOf(hostnames: readonly string[], now: number): ReadonlySet<number> {
    const ties = hostnames.flatMap((hostname) => this.ties.get(hostname) ?? []);
    const current = ties.filter(
      ({ document, supportedUntil }) => supportedUntil > now && this.alive.values[document] === 1,
    );
    return new Set(current.map(({ document }) => this.survivors.values[document] ?? 0));
  }

  #tie(hostname: string, tie: Tie): void {
    const known = this.ties.get(hostname) ?? [];
    this.ties.set(hostname, [...known.filter(({ document }) => this.alive.values[document] === 1), tie]);
  }
}
