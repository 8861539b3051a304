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
  readonly #numbers = new Map<number, number>();
  /** Of each observation, the one before it of the same company; -1 before the first. */
  readonly #previous = growing(Int32Array);
  readonly #lastOfCompany = new Map<number, number>();
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
    this.ids.set(number, observation.id);
    this.companyIds.set(number, observation.companyId);
    this.kinds.set(number, observation.kind);
    this.countries.set(number, observation.country);
    this.occurredAt.set(number, observation.occurredAt);
    this.observedAt.set(number, observation.observedAt);
    this.deliverableUntil.set(number, observation.deliverableUntil);
    this.partitions.set(number, observation.partition);
    this.lengths.set(number, observation.length);
    this.alive.set(number, 1);
    if (observation.facts) this.facts.set(number, observation.facts);
    this.#previous.set(number, this.#lastOfCompany.get(observation.companyId) ?? -1);
    this.#lastOfCompany.set(observation.companyId, number);
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

  /** Numbers of a company's observations, dead ones among them. */
  ofCompany(companyId: number): number[] {
    const numbers: number[] = [];
    for (let at = this.#lastOfCompany.get(companyId) ?? -1; at >= 0; at = this.#previous.values[at] ?? -1)
      numbers.push(at);
    return numbers;
  }
}

/** A partition as a number that compares as its day does. */
export function partitionNumber(day: string): number {
  if (day === '-infinity') return -1;
  if (day === 'infinity') return 100_000_000;
  return Number(day.replaceAll('-', ''));
}
