/** Microseconds since 1970: no two entries of a subscription share one, and a Date would round them. */
export type Micros = number;

/** As Postgres reads it. */
export function toText(micros: Micros | bigint): string {
  const whole = BigInt(micros);
  const rest = ((whole % 1_000n) + 1_000n) % 1_000n;
  const millis = new Date(Number((whole - rest) / 1_000n)).toISOString();
  return millis.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

/** SQL for an instant in seconds as a double, which is exact to the microsecond for some two centuries and costs a tenth of a text. */
export function secondsOf(instant: string): string {
  return `date_part('epoch', ${instant})`;
}

/** From the seconds that `secondsOf` reads. */
export function toMicros(seconds: number): Micros {
  return Math.round(seconds * 1e6);
}
