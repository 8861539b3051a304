import { growing } from './growing.ts';

/** What filters and scores ask of an observation. Instants are in microseconds since 1970. */
export interface CopiedObservation {
  readonly id: number;
  readonly companyId: number;
  readonly kind: number;
  readonly country: number;
  /** NaN where it is not known. */
  readonly occurredAt: number;
  readonly observedAt: number;
  readonly deliverableUntil: number;
  /** As `partitionNumber` gives it. */
  readonly partition: number;
  /** In words. */
  readonly length: number;
  readonly facts: readonly number[] | undefined;
}

/** Bytes an observation takes: its columns and its places in two maps. */
const ROW_BYTES = 130;

/** Observations by number, in columns; one that changes gets a new number, and the one before is dead. */
export class ObservationTable {
  readonly ids = growing(Float64Array);
  /** Numbers of their companies, whose ids are `companyIds`. */
  readonly companies = growing(Int32Array);
  readonly companyIds = growing(Float64Array);
  readonly kinds = growing(Int16Array);
  readonly countries = growing(Int16Array);
  readonly occurredAt = growing(Float64Array);
  readonly observedAt = growing(Float64Array);
  readonly deliverableUntil = growing(Float64Array);
  readonly partitions = growing(Int32Array);
  readonly lengths = growing(Int32Array);
  /** 1 for what is in the index now. */
  readonly alive = growing(Uint8Array);
  readonly facts = new Map<number, readonly number[]>();
  /** Of each company the last observation, and of each observation the one before it of the same company; -1: none. */
  readonly lastOfCompany = growing(Int32Array);
  readonly previousOfCompany = growing(Int32Array);
  readonly #numbers = new Map<number, number>();
  readonly #companyNumbers = new Map<number, number>();
  #size = 0;

  /** Numbers given so far. */
  get size(): number {
    return this.#size;
  }

  /** How many of them are dead. */
  get dead(): number {
    return this.#size - this.#numbers.size;
  }

  get bytes(): number {
    return this.#size * ROW_BYTES;
  }

  add(observation: CopiedObservation): number {
    this.remove(observation.id);
    const number = this.#size;
    this.#size += 1;
    const company = this.#companyNumber(observation.companyId);
    this.ids.set(number, observation.id);
    this.companies.set(number, company);
    this.kinds.set(number, observation.kind);
    this.countries.set(number, observation.country);
    this.occurredAt.set(number, observation.occurredAt);
    this.observedAt.set(number, observation.observedAt);
    this.deliverableUntil.set(number, observation.deliverableUntil);
    this.partitions.set(number, observation.partition);
    this.lengths.set(number, observation.length);
    this.alive.set(number, 1);
    if (observation.facts) this.facts.set(number, observation.facts);
    this.previousOfCompany.set(number, this.lastOfCompany.values[company] ?? -1);
    this.lastOfCompany.set(company, number);
    this.#numbers.set(observation.id, number);
    return number;
  }

  remove(id: number): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.alive.set(number, 0);
    this.facts.delete(number);
    this.#numbers.delete(id);
  }

  /** How many companies have, or had, an observation. */
  get companyCount(): number {
    return this.#companyNumbers.size;
  }

  /** The number of a company; undefined where it never had an observation. */
  companyNumberOf(id: number): number | undefined {
    return this.#companyNumbers.get(id);
  }

  #companyNumber(id: number): number {
    const known = this.#companyNumbers.get(id);
    if (known !== undefined) return known;
    const number = this.#companyNumbers.size;
    this.#companyNumbers.set(id, number);
    this.companyIds.set(number, id);
    this.lastOfCompany.set(number, -1);
    return number;
  }
}
