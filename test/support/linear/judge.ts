import { analyse } from 'scslre';
import { type Attack, attacksOf, attackText } from './attacks.ts';
import { countSteps } from './count-steps.ts';
import type { Pattern } from './patterns.ts';
import { compile, type Program } from './program.ts';

/** How many times longer the pumped part of the second text is. */
const FACTOR = 4;
/**
 * How often the shorter text repeats its pump, and the highest power of the length by which steps
 * may grow. Short texts accept most linear expressions quickly, and need a low power because a
 * quadratic part is small at first. Long texts exceed every bounded repetition.
 */
const STAGES = [
  { repeats: 16, power: 1.3 },
  { repeats: 128, power: 1.6 },
  { repeats: 1_024, power: 1.6 },
];
/** More than any linear expression takes for the shorter text. Stops exponential ones. */
const MOST_STEPS = 20_000_000;

export interface Fault {
  readonly attack: string;
  readonly reason: string;
}

/**
 * Explains why an expression may take more than linear time, or returns undefined. Checks its
 * structure, then the steps of a backtracking matcher on texts made from it. Counts steps instead
 * of time, so that the result does not depend on the machine. Counts the steps of every match,
 * because `split` and `replace` find all.
 */
export function faultOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Fault | undefined {
  return structuralFault(source, flags) ?? countedFault(source, flags);
}

function structuralFault(source: string, flags: string): Fault | undefined {
  const { reports } = analyse({ source, flags }, { maxReports: 1 });
  const [report] = reports;
  if (!report) return undefined;
  const counted = countedFault(source, flags);
  const letter = report.character.literal.source;
  return {
    attack: counted?.attack ?? `a text that repeats ${letter.length > 60 ? `${letter.slice(0, 60)}…` : letter}`,
    reason: `${report.exponential ? 'exponential' : 'polynomial'} by its structure (${report.type})${counted ? `; ${counted.reason}` : ''}`,
  };
}

function countedFault(source: string, flags: string): Fault | undefined {
  const program = compile(source, flags);
  for (const attack of attacksOf(source, flags)) {
    const growth = growthOf(program, attack);
    if (growth) return { attack: written(attack), reason: growth };
  }
  return undefined;
}

function growthOf(program: Program, attack: Attack): string | undefined {
  let growth = '';
  for (const { repeats, power } of STAGES) {
    const [short, long] = [attackText(attack, repeats), attackText(attack, FACTOR * repeats)];
    const few = countSteps(program, short, MOST_STEPS);
    if (few === MOST_STEPS) return `${few} steps for ${short.length} characters are not the last`;
    const most = Math.ceil(few * FACTOR ** power);
    if (countSteps(program, long, most) < most) return undefined;
    growth = `${few} steps for ${short.length} characters, more than ${most} for ${long.length}`;
  }
  return growth;
}

const written = ({ head, pump, tail }: Attack) =>
  `${JSON.stringify(head)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(tail)}`;
