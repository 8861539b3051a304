import { type Context, createContext, Script } from 'node:vm';
import { analyse } from 'scslre';
import { leastMs, superlinear, threadMs } from '../growth.ts';
import { type Attack, attacksOf, attackText } from './attacks.ts';
import type { Pattern } from './patterns.ts';

/** At this size a quadratic expression takes tens of milliseconds on the fastest machine, too, a linear one a fifth of one. */
const SCREENED_SIZE = 16_384;
const SUSPICIOUS_MS = 10;
const CERTAIN_MS = 40;
/** On a slow machine linear ones take as long, and many of them; one that is not is among the slowest. */
const MOST_MEASURED = 3;
const TRIED_AGAIN = 3;
/** An exponential expression would never end. */
const PATIENCE_MS = 2000;
const MEASURED = { from: 256, to: 131_072 };

export interface Fault {
  /** The text on which it grows too fast. */
  readonly attack: string;
  readonly reason: string;
}

/**
 * Why an expression may take longer than in proportion to its text, undefined if it does not: first by its structure, then by time
 * on texts made from it, as if every match were asked for, since `split` and `replace` do.
 */
export function faultOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Fault | undefined {
  return structuralFault(source, flags) ?? measuredFault(source, flags);
}

function structuralFault(source: string, flags: string): Fault | undefined {
  const { reports } = analyse({ source, flags }, { maxReports: 1 });
  const [report] = reports;
  if (!report) return undefined;
  const slow = measuredFault(source, flags);
  const letter = report.character.literal.source;
  return {
    attack: slow?.attack ?? `a text that repeats ${letter.length > 60 ? `${letter.slice(0, 60)}…` : letter}`,
    reason: `${report.exponential ? 'exponential' : 'polynomial'} by its structure (${report.type})${slow ? `; ${slow.reason}` : ''}`,
  };
}

function measuredFault(source: string, flags: string): Fault | undefined {
  const expression = new RegExp(source, [...new Set(`${flags.replace('y', '')}g`)].join(''));
  const screened = screen(expression, attacksOf(source, flags));
  const hung = screened.find(({ ms }) => ms === Number.POSITIVE_INFINITY);
  if (hung) return { attack: written(hung), reason: `did not end within ${PATIENCE_MS} ms` };
  const suspicious = screened
    .filter(({ ms }) => ms > SUSPICIOUS_MS)
    .map((attack) => ({ ...attack, ms: again(expression, attack) }));
  const slowest = suspicious.filter(({ ms }) => ms > SUSPICIOUS_MS).toSorted((a, b) => b.ms - a.ms);
  for (const attack of slowest.slice(0, MOST_MEASURED)) {
    const growth = superlinear(
      (size) => attackText(attack, size),
      (text) => text.replace(expression, ''),
      MEASURED,
    );
    if (growth) return { attack: written(attack), reason: growth };
  }
  return undefined;
}

/** The least of several, if it is not certain: where the clock's tick is as long, any of a thousand quick ones meets it by chance. */
function again(expression: RegExp, attack: Attack & { readonly ms: number }): number {
  if (attack.ms > CERTAIN_MS) return attack.ms;
  return leastMs(attackText(attack, SCREENED_SIZE), (text) => text.replace(expression, ''), TRIED_AGAIN);
}

const written = ({ head, pump, tail }: Attack) =>
  `${JSON.stringify(head)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(tail)}`;

const SCREEN = new Script(`
  for (let at = times.length; at < texts.length; at += 1) {
    const start = now();
    texts[at].replace(expression, '');
    times.push(now() - start);
  }`);

/** How long each attack takes, up to one that does not end and takes infinitely: most take no time, so many are tried with one guard. */
function screen(expression: RegExp, attacks: readonly Attack[]): (Attack & { readonly ms: number })[] {
  const times: number[] = [];
  const texts = attacks.map((attack) => attackText(attack, SCREENED_SIZE));
  const context = createContext({ now: threadMs, times, texts, expression });
  while (times.length < attacks.length && times.at(-1) !== Number.POSITIVE_INFINITY) {
    const before = times.length;
    // Many together may take long: only one that does so alone is hung.
    if (!endsInTime(context) && times.length === before) times.push(Number.POSITIVE_INFINITY);
  }
  return times.flatMap((ms, at) => (attacks[at] ? [{ ...attacks[at], ms }] : []));
}

function endsInTime(context: Context): boolean {
  try {
    SCREEN.runInContext(context, { timeout: PATIENCE_MS });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return false;
  }
}
