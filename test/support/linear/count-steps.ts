import type { Instruction, Program } from './program.ts';

const UNSET = -1;

/**
 * Counts the instructions that finding every match takes, as `replace` and `split` do. Stops at
 * `limit` and returns it.
 */
export function countSteps(program: Program, text: string, limit: number): number {
  const matcher = new Matcher(program, text, limit);
  for (const _ of matches(matcher, text)) if (matcher.steps >= limit) break;
  return Math.min(matcher.steps, limit);
}

export function matchesOf(program: Program, text: string): string[] {
  const matcher = new Matcher(program, text, Number.POSITIVE_INFINITY);
  return [...matches(matcher, text)].flatMap(([from, end]) => (end === undefined ? [] : text.slice(from, end)));
}

function* matches(matcher: Matcher, text: string): Generator<[from: number, end: number | undefined]> {
  for (let from = 0; from <= text.length; ) {
    const end = matcher.matchAt(from);
    yield [from, end];
    if (end === undefined || end === from) from += matcher.lengthAt(from);
    else from = end;
  }
}

/**
 * Keeps the state of a branch in fields instead of objects, because it counts billions of steps.
 */
class Matcher {
  steps = 0;
  readonly #program: Program;
  readonly #text: string;
  readonly #limit: number;
  readonly #registers: Int32Array;
  /**
   * What to undo when a branch fails, as pairs: instruction and position, or `~register` and its
   * former value.
   */
  readonly #undo: number[] = [];
  #at = 0;
  #position = 0;

  constructor(program: Program, text: string, limit: number) {
    this.#program = program;
    this.#text = text;
    this.#limit = limit;
    this.#registers = new Int32Array(program.registers);
  }

  matchAt(position: number): number | undefined {
    this.#registers.fill(UNSET);
    this.#undo.length = 0;
    return this.#matches(0, position) ? this.#position : undefined;
  }

  /** Code units of the character at a position, at least 1. */
  lengthAt(position: number): number {
    return this.#after(position)?.length ?? 1;
  }

  /**
   * Whether the instructions from `first` up to `match` match at a position. Leaves their branches
   * in `#undo`.
   */
  #matches(first: number, start: number): boolean {
    const floor = this.#undo.length;
    this.#at = first;
    this.#position = start;
    while (this.steps < this.#limit) {
      this.steps += 1;
      const instruction = this.#program.instructions[this.#at];
      if (!instruction || instruction.op === 'match') return true;
      this.#at += 1;
      if (!this.#passes(instruction) && !this.#backtrack(floor)) return false;
    }
    return false;
  }

  #passes(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'read': {
        const { backward } = instruction;
        const character = backward ? this.#before(this.#position) : this.#after(this.#position);
        if (character === undefined || !instruction.accepts(character)) return false;
        this.#position += backward ? -character.length : character.length;
        return true;
      }
      case 'choose':
        this.#undo.push(instruction.otherwise, this.#position);
        return true;
      case 'jump':
        this.#at = instruction.to;
        return true;
      case 'save':
        this.#set(instruction.register, this.#position);
        return true;
      case 'begin-loop':
        this.#set(instruction.counter, 0);
        this.#set(instruction.counter + 1, UNSET);
        return true;
      case 'loop':
        return this.#loop(instruction);
      case 'iterate':
        this.#set(instruction.counter, (this.#registers[instruction.counter] ?? 0) + 1);
        this.#set(instruction.counter + 1, this.#position);
        for (const register of instruction.clears) this.#set(register, UNSET);
        return true;
      case 'assert':
        return instruction.holds(this.#before(this.#position), this.#after(this.#position));
      case 'look':
        return this.#look(instruction);
      case 'repeat-group':
        return this.#repeatGroup(instruction);
      case 'match':
        return true;
    }
  }

  #loop({ counter, min, max, isGreedy, exit }: Instruction & { op: 'loop' }): boolean {
    const done = this.#registers[counter] ?? 0;
    const isEmptyIteration = done > min && this.#registers[counter + 1] === this.#position;
    if (isEmptyIteration) return false;
    if (done < min) return true;
    const body = this.#at;
    if (done < max) this.#undo.push(isGreedy ? exit : body, this.#position);
    if (done >= max || !isGreedy) this.#at = exit;
    return true;
  }

  /** Keeps the groups that a lookaround matched and discards its branches. */
  #look({ isNegated, to }: Instruction & { op: 'look' }): boolean {
    const floor = this.#undo.length;
    const position = this.#position;
    const isMatch = this.#matches(this.#at, position);
    const branches = this.#undo.splice(floor);
    for (let at = 0; at < branches.length; at += 2) {
      const [key = 0, value = 0] = branches.slice(at, at + 2);
      if (key < 0) this.#undo.push(key, value);
    }
    this.#at = to;
    this.#position = position;
    return isMatch !== isNegated;
  }

  #repeatGroup({ register, ignoresCase, backward }: Instruction & { op: 'repeat-group' }): boolean {
    const [start = UNSET, end = UNSET] = this.#registers.subarray(register, register + 2);
    if (start === UNSET || end === UNSET) return true;
    const wanted = this.#text.slice(start, end);
    const from = backward ? this.#position - wanted.length : this.#position;
    if (from < 0) return false;
    const found = this.#text.slice(from, from + wanted.length);
    // V8 compares a back reference character by character.
    this.steps += wanted.length;
    this.#position = backward ? from : from + wanted.length;
    return found === wanted || (ignoresCase && found.toLowerCase() === wanted.toLowerCase());
  }

  #set(register: number, value: number): void {
    this.#undo.push(~register, this.#registers[register] ?? UNSET);
    this.#registers[register] = value;
  }

  /**
   * Restores registers down to the last branch above `floor` and continues there. Returns false if
   * no branch is left.
   */
  #backtrack(floor: number): boolean {
    while (this.#undo.length > floor) {
      const value = this.#undo.pop() ?? UNSET;
      const key = this.#undo.pop() ?? UNSET;
      if (key >= 0) {
        this.#at = key;
        this.#position = value;
        return true;
      }
      this.#registers[~key] = value;
    }
    return false;
  }

  #after(position: number): string | undefined {
    if (position >= this.#text.length) return undefined;
    if (!this.#program.isUnicode) return this.#text[position];
    return String.fromCodePoint(this.#text.codePointAt(position) ?? 0);
  }

  #before(position: number): string | undefined {
    if (position <= 0) return undefined;
    const pair = position > 1 && this.#program.isUnicode ? this.#after(position - 2) : undefined;
    return pair?.length === 2 ? pair : this.#text[position - 1];
  }
}
