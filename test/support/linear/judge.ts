import { analyse } from 'scslre';
import { type Attack, attacksOf, attackText } from './attacks.ts';
import { countSteps } from './count-steps.ts';
import type { Pattern } from './patterns.ts';
import { compile, type Program } from './program.ts';

/** The steps for a text are compared with those for one whose pump is repeated so many times as often. */
const FACTOR = 4;
/**
 * How often the pump of the shorter text is repeated, and the power of the length by which steps may grow. Short texts find most
 * expressions linear, with a low power since a quadratic part is small at first; long ones are beyond every bounded repetition.
 */
const STAGES = [
  { repeats: 16, power: 1.3 },
  { repeats: 128, power: 1.6 },
  { repeats: 1_024, power: 1.6 },
];
/** More than any linear expression takes for the shorter text; an exponential one would never end. */
const MOST_STEPS = 20_000_000;

export interface Fault {
  /** The text on which it grows too fast. */
  readonly attack: string;
  readonly reason: string;
}

/**
 * Why an expression may take longer than in proportion to its text, undefined if it does not: first by its structure, then by the
 * steps that a backtracking matcher takes on texts made from it. Counts steps and no time, so that every machine gives the same
 * answer; counts those of every match, since `split` and `replace` ask for all.
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

/** How the steps grow with the text in the longest of the stages, undefined if in one of them by at most its power. */
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
