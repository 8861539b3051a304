import { type Context, createContext, Script } from 'node:vm';
import { analyse } from 'scslre';
import { superlinear, threadMs } from '../growth.ts';
import { type Attack, attacksOf, attackText } from './attacks.ts';
import type { Pattern } from './patterns.ts';

/** At this size a quadratic expression takes tens of milliseconds, a linear one a tenth of one. */
const SCREENED_SIZE = 8192;
const SUSPICIOUS_MS = 10;
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
  for (const attack of screen(expression, attacksOf(source, flags))) {
    if (attack.hung) return { attack: written(attack), reason: `did not end within ${PATIENCE_MS} ms` };
    const growth = superlinear(
      (size) => attackText(attack, size),
      (text) => text.replace(expression, ''),
      MEASURED,
    );
    if (growth) return { attack: written(attack), reason: growth };
  }
  return undefined;
}

const written = ({ head, pump, tail }: Attack) =>
  `${JSON.stringify(head)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(tail)}`;

const SCREEN = new Script(`
  for (; at < texts.length; at += 1) {
    const start = now();
    texts[at].replace(expression, '');
    if (now() - start > suspiciousMs) break;
  }`);

/** The attacks that take long, as they are found: most take no time, so many are tried with one guard. */
function* screen(expression: RegExp, attacks: readonly Attack[]): Generator<Attack & { hung: boolean }> {
  const room = { at: 0, now: threadMs, suspiciousMs: SUSPICIOUS_MS };
  const texts = attacks.map((attack) => attackText(attack, SCREENED_SIZE));
  const context = createContext(Object.assign(room, { texts, expression }));
  while (room.at < attacks.length) {
    const first = room.at;
    const ended = endsInTime(context);
    const attack = attacks[room.at];
    // Many together may take long: only one that does so alone is hung.
    if (!attack || (!ended && room.at > first)) continue;
    yield { ...attack, hung: !ended };
    room.at += 1;
  }
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
