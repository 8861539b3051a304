import { setImmediate as turn } from 'node:timers/promises';
import { UNDATED_PARTITION } from '../partition-number.ts';
import type { CompanyNumbers } from './company-numbers.ts';
import { CompanyObservations, type OrderedObservations } from './company-observations.ts';
import { growableArray } from './growable-array.ts';
import { DEAD, observationCode } from './observation-code.ts';
import { newestFirst } from './order.ts';

/** Instants are in microseconds since 1970. */
export interface LoadedObservation {
  readonly id: number;
  readonly companyId: number;
  readonly kind: number;
  readonly country: number;
  /** NaN if unknown. */
  readonly occurredAt: number;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly deliverableUntil: number;
  readonly partition: number;
  readonly length: number;
  readonly facts: readonly number[] | undefined;
}

const ROW_BYTES = 118;
const ORDERED_AT_ONCE = 500;

/** A changed observation gets a new number, and the old one is dead. */
export class ObservationTable {
  readonly ids = growableArray(Float64Array);
  readonly companies = growableArray(Int32Array);
  readonly codes = growableArray(Uint16Array);
  readonly occurredAt = growableArray(Float64Array);
  readonly observedAt = growableArray(Float64Array);
  readonly recordedAt = growableArray(Float64Array);
  readonly partitions = growableArray(Int32Array);
  readonly lengths = growableArray(Int32Array);
  readonly deliverableUntil = new Map<number, number>();
  readonly facts = new Map<number, readonly number[]>();
  readonly companyNumbers: CompanyNumbers;
  readonly #ofCompanies = new CompanyObservations();
  readonly #numbers = new Map<number, number>();
  #size = 0;
  #words = 0;

  constructor(companyNumbers: CompanyNumbers) {
    this.companyNumbers = companyNumbers;
  }

  get size(): number {
    return this.#size;
  }

  get dead(): number {
    return this.#size - this.#numbers.size;
  }

  get words(): number {
    return this.#words;
  }

  get bytes(): number {
    return this.#size * ROW_BYTES + this.#ofCompanies.bytes;
  }

  add(observation: LoadedObservation): number {
    this.remove(observation.id);
    const number = this.#size;
    this.#size += 1;
    const company = this.companyNumbers.numberOf(observation.companyId);
    const { kind, country, deliverableUntil } = observation;
    const isDeliveredUntil = deliverableUntil !== Number.POSITIVE_INFINITY;
    this.ids.set(number, observation.id);
    this.companies.set(number, company);
    this.codes.set(number, observationCode(kind, country, isDeliveredUntil));
    this.occurredAt.set(number, observation.occurredAt);
    this.observedAt.set(number, observation.observedAt);
    this.recordedAt.set(number, observation.recordedAt);
    this.partitions.set(number, observation.partition);
    this.lengths.set(number, observation.length);
    if (isDeliveredUntil) this.deliverableUntil.set(number, deliverableUntil);
    if (observation.facts) this.facts.set(number, observation.facts);
    this.#ofCompanies.add(company, number);
    this.#words += observation.length;
    this.#numbers.set(observation.id, number);
    return number;
  }

  remove(id: number): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.codes.set(number, DEAD);
    this.#words -= this.lengths.values[number] ?? 0;
    this.deliverableUntil.delete(number);
    this.facts.delete(number);
    this.#numbers.delete(id);
  }

  numberOf(id: number): number | undefined {
    return this.#numbers.get(id);
  }

  datedPartitions(): number[] {
    const found = new Set<number>();
    for (let number = 0; number < this.#size; number += 1)
      if (this.codes.values[number] !== DEAD) found.add(this.partitions.values[number] ?? UNDATED_PARTITION);
    found.delete(UNDATED_PARTITION);
    return [...found].sort((a, b) => a - b);
  }

  removeBefore(partition: number): number {
    const before = this.#numbers.size;
    for (let number = 0; number < this.#size; number += 1) {
      const own = this.partitions.values[number] ?? UNDATED_PARTITION;
      if (this.codes.values[number] !== DEAD && own !== UNDATED_PARTITION && own < partition)
        this.remove(this.ids.values[number] ?? 0);
    }
    return before - this.#numbers.size;
  }

  /** Includes dead observations, newest first. */
  newestOf(company: number): OrderedObservations {
    return this.#ofCompanies.of(company, { order: newestFirst(this), codes: this.codes.values });
  }

  /** Sorts all companies in small steps, so that no search has to. */
  async orderAll(): Promise<void> {
    for (let company = 0; company < this.#ofCompanies.companiesEnd; company += 1) {
      this.newestOf(company);
      if (company % ORDERED_AT_ONCE === 0) await turn();
    }
  }
}
