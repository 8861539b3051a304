import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** `words` excludes `ces` and may end empty; 'files' where a file name fits. */
export function candidatesFor(program: Command, words: readonly string[], known: KnownValues): Candidate[] | 'files' {
  const current = words.at(-1) ?? '';
  const { command, position, awaiting, isOver } = read(program, words.slice(0, -1));
  const found = awaiting
    ? valuesOf(awaiting, known)
    : current.startsWith('-') && !isOver
      ? optionsOf(command)
      : command.commands.length > 0
        ? verbsOf(command)
        : valuesOf(argumentAt(command, position), known);
  return found === 'files' ? found : found.filter(({ value }) => value.startsWith(current));
}

interface Reading {
  readonly command: Command;
  readonly position: number;
  readonly awaiting: Option | undefined;
  readonly isOver: boolean;
}

function read(program: Command, words: readonly string[]): Reading {
  let [command, position, isOver] = [program, 0, false];
  let awaiting: Option | undefined;
  for (const word of words) {
    if (awaiting) awaiting = undefined;
    else if (word === '--') isOver = true;
    else if (word.startsWith('-') && !isOver) awaiting = optionWithValue(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next) command = next;
      else position += 1;
    }
  }
  return { command, position, awaiting, isOver };
}

function optionWithValue(command: Command, word: string): Option | undefined {
  const option = command.options.find((one) => one.long === word || one.short === word);
  return option && !option.isBoolean() ? option : undefined;
}

function optionsOf(command: Command): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ long, flags, description }) => ({ value: long ?? flags, description }));
}

function verbsOf(command: Command): Candidate[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => ({ value: verb.name(), description: verb.description() }));
}

/** A variadic last argument takes all further words. */
function argumentAt(command: Command, position: number): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[position] ?? (last?.variadic ? last : undefined);
}

function valuesOf(taker: Option | Argument | undefined, known: KnownValues): Candidate[] | 'files' {
  if (!taker) return [];
  const [attribute, placeholder] = 'flags' in taker ? [taker.attributeName(), taker.flags] : ['', taker.name()];
  const values = taker.argChoices ?? known[attribute];
  if (values) return values.map((value) => ({ value, description: '' }));
  return /file|folder/.test(placeholder) ? 'files' : [];
}
