import type { Queryable } from '@ces/chassis/postgres/pool';

/** A clock that is set takes effect within this time. */
const FRESH_MS = 1_000;

/** All processes share it and read it at most once a second. */
export class DatabaseClock {
  readonly #db: Queryable;
  #read:
    | { readonly askedAt: number; readonly answer: Promise<{ readonly at: number; readonly time: number }> }
    | undefined;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async now(): Promise<Date> {
    if (!this.#read || performance.now() - this.#read.askedAt > FRESH_MS) {
      const read = { askedAt: performance.now(), answer: this.#ask() };
      this.#read = read;
      read.answer.catch(() => {
        if (this.#read === read) this.#read = undefined;
      });
    }
    const { at, time } = await this.#read.answer;
    return new Date(time + performance.now() - at);
  }

  async #ask() {
    const { rows } = await this.#db.query<{ now: Date }>('select clock_timestamp() as now');
    if (!rows[0]) throw new Error('the database has no clock');
    return { at: performance.now(), time: rows[0].now.getTime() };
  }
}
