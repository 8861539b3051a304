/** Since 1970. No two entries of a subscription share one, and a Date would round it. */
export type Micros = number;

export function toText(micros: Micros | bigint): string {
  const whole = BigInt(micros);
  const rest = ((whole % 1_000n) + 1_000n) % 1_000n;
  const millis = new Date(Number((whole - rest) / 1_000n)).toISOString();
  return millis.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

/** A double is exact for two centuries and costs a tenth of a text. */
export function secondsOf(instant: string): string {
  return `date_part('epoch', ${instant})`;
}

export function toMicros(seconds: number): Micros {
  return Math.round(seconds * 1e6);
}
