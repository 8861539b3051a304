import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** An instruction of a backtracking matcher. Targets are indexes of instructions. */
export type Instruction =
  /** Reads one character, before the position if `backward`. */
  | { readonly op: 'read'; readonly accepts: (character: string) => boolean; readonly backward: boolean }
  /** Continues at the next instruction. Backtracks to `otherwise`. */
  | { readonly op: 'choose'; readonly otherwise: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'save'; readonly register: number }
  | { readonly op: 'begin-loop'; readonly counter: number }
  /** Decides whether another iteration follows, which starts at the next instruction. */
  | {
      readonly op: 'loop';
      readonly counter: number;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
      readonly exit: number;
    }
  /** Starts an iteration of a loop and clears the registers of the groups in its body. */
  | { readonly op: 'iterate'; readonly counter: number; readonly clears: readonly number[] }
  /**
   * Checks the characters before and after the position. Undefined means the start or end of the
   * text.
   */
  | {
      readonly op: 'assert';
      readonly holds: (before: string | undefined, after: string | undefined) => boolean;
    }
  /** Matches the instructions after it up to `match`, without moving, and continues at `to`. */
  | { readonly op: 'look'; readonly isNegated: boolean; readonly to: number }
  | {
      readonly op: 'repeat-group';
      readonly register: number;
      readonly ignoresCase: boolean;
      readonly backward: boolean;
    }
  | { readonly op: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  /** Two for each group and two for each loop. */
  readonly registers: number;
  /** Whether a character is a code point rather than a code unit. */
  readonly isUnicode: boolean;
}

/**
 * Compiles a regular expression to a program that backtracks as in ECMA-262 §22.2.2 and as V8's
 * engine does. Throws on syntax that the sources do not use: modifiers and classes of strings.
 */
export function compile(source: string, flags: string): Program {
  const { pattern } = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${source}/${flags}`);
  const compiler = new Compiler(pattern, flags);
  compiler.alternatives(pattern.alternatives, false);
  compiler.emit({ op: 'match' });
  return compiler.program();
}

class Compiler {
  readonly #instructions: Instruction[] = [];
  readonly #flags: string;
  readonly #groups: readonly AST.CapturingGroup[];
  #registers: number;

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags;
    this.#groups = groupsIn(pattern);
    this.#registers = 2 * this.#groups.length;
  }

  program(): Program {
    const isUnicode = this.#flags.includes('u') || this.#flags.includes('v');
    return { instructions: this.#instructions, registers: this.#registers, isUnicode };
  }

  emit(instruction: Instruction): void {
    this.#instructions.push(instruction);
  }

  alternatives(alternatives: readonly AST.Alternative[], backward: boolean): void {
    const [first, ...others] = alternatives;
    if (!first) return;
    if (others.length === 0) {
      this.#elements(first.elements, backward);
      return;
    }
    const choose = this.#reserve();
    this.#elements(first.elements, backward);
    const jump = this.#reserve();
    this.#instructions[choose] = { op: 'choose', otherwise: this.#instructions.length };
    this.alternatives(others, backward);
    this.#instructions[jump] = { op: 'jump', to: this.#instructions.length };
  }

  #elements(elements: readonly AST.Element[], backward: boolean): void {
    for (const element of backward ? elements.toReversed() : elements) this.#element(element, backward);
  }

  #element(element: AST.Element, backward: boolean): void {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        this.emit({ op: 'read', accepts: this.#acceptedBy(element), backward });
        return;
      case 'Group':
        if (element.modifiers) throw new Error(`modifiers cannot be judged: ${element.raw}`);
        this.alternatives(element.alternatives, backward);
        return;
      case 'CapturingGroup': {
        const [start, end] = this.#registersOf(element);
        this.emit({ op: 'save', register: backward ? end : start });
        this.alternatives(element.alternatives, backward);
        this.emit({ op: 'save', register: backward ? start : end });
        return;
      }
      case 'Quantifier':
        this.#loop(element, backward);
        return;
      case 'Assertion':
        this.#assertion(element);
        return;
      case 'Backreference': {
        const group = [element.resolved].flat()[0];
        if (!group) throw new Error(`a reference to no group: ${element.raw}`);
        const ignoresCase = this.#flags.includes('i');
        this.emit({ op: 'repeat-group', register: this.#registersOf(group)[0], ignoresCase, backward });
        return;
      }
    }
  }

  #loop({ element, min, max, greedy }: AST.Quantifier, backward: boolean): void {
    const counter = this.#registers;
    this.#registers += 2;
    this.emit({ op: 'begin-loop', counter });
    const loop = this.#reserve();
    this.emit({ op: 'iterate', counter, clears: groupsIn(element).flatMap((group) => this.#registersOf(group)) });
    this.#element(element, backward);
    this.emit({ op: 'jump', to: loop });
    this.#instructions[loop] = { op: 'loop', counter, min, max, isGreedy: greedy, exit: this.#instructions.length };
  }

  #assertion(assertion: AST.Assertion): void {
    const isMultiline = this.#flags.includes('m');
    switch (assertion.kind) {
      case 'start':
        this.emit({
          op: 'assert',
          holds: (before) => before === undefined || (isMultiline && LINE_END.test(before)),
        });
        return;
      case 'end':
        this.emit({
          op: 'assert',
          holds: (_, after) => after === undefined || (isMultiline && LINE_END.test(after)),
        });
        return;
      case 'word':
        this.emit({
          op: 'assert',
          holds: (before, after) => (isWord(before) !== isWord(after)) !== assertion.negate,
        });
        return;
      default: {
        const look = this.#reserve();
        this.alternatives(assertion.alternatives, assertion.kind === 'lookbehind');
        this.emit({ op: 'match' });
        this.#instructions[look] = { op: 'look', isNegated: assertion.negate, to: this.#instructions.length };
      }
    }
  }

  /**
   * Asks V8 once for each character, so that classes, properties and case folding agree with it.
   */
  #acceptedBy({ raw, type }: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass) {
    const text = type === 'Character' ? `[${raw === '^' || raw === '-' ? `\\${raw}` : raw}]` : raw;
    const one = new RegExp(`^(?:${text})$`, this.#flags.replace(/[gymd]/g, ''));
    const known = new Map<string, boolean>();
    return (character: string) => {
      const before = known.get(character);
      if (before !== undefined) return before;
      const accepted = one.test(character);
      known.set(character, accepted);
      return accepted;
    };
  }

  #registersOf(group: AST.CapturingGroup): [start: number, end: number] {
    const index = this.#groups.findIndex(({ start }) => start === group.start);
    return [2 * index, 2 * index + 1];
  }

  #reserve(): number {
    this.emit({ op: 'match' });
    return this.#instructions.length - 1;
  }
}

const LINE_END = /[\n\r\u2028\u2029]/;
const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);

function groupsIn(node: AST.Pattern | AST.Element | AST.Alternative): AST.CapturingGroup[] {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
      return node.alternatives.flatMap(groupsIn);
    case 'CapturingGroup':
      return [node, ...node.alternatives.flatMap(groupsIn)];
    case 'Alternative':
      return node.elements.flatMap(groupsIn);
    case 'Quantifier':
      return groupsIn(node.element);
    case 'Assertion':
      return node.kind === 'lookahead' || node.kind === 'lookbehind' ? node.alternatives.flatMap(groupsIn) : [];
    default:
      return [];
  }
}
