import type { World } from './command.ts';
import { Refusal, UsageError } from './refusal.ts';

/** On standard error, so that standard output has only the answer. */
export interface Questions {
  text(message: string, usual: string): Promise<string>;
  choose<T extends string>(message: string, choices: Readonly<Record<T, string>>, usual: NoInfer<T>): Promise<T>;
  confirm(message: string): Promise<boolean>;
  /** Does not show what is typed. */
  secret(message: string): Promise<string>;
}

export function canAsk({ stdin, stderr }: World): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true;
}

/** Throws a UsageError with `otherwise` without a terminal, a Refusal when cancelled. */
export async function openQuestions(world: World, otherwise: string): Promise<Questions> {
  const { stdin, stderr, signal } = world;
  if (!canAsk(world) || stdin === undefined) throw new UsageError(otherwise);
  // Imported on demand, so that commands without questions start faster.
  const { confirm, isCancel, password, select, text } = await import('@clack/prompts');
  const streams = { input: stdin, output: stderr as NodeJS.WriteStream, signal };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new Refusal('Cancelled. Nothing was changed.', { code: 'cancelled' });
    return answer as Exclude<T, symbol>;
  };
  return {
    text: async (message, usual) =>
      answered(await text({ message, placeholder: usual, defaultValue: usual, ...streams })),
    choose: async (message, choices, usual) => {
      const options = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
      const chosen = answered(await select({ message, options, initialValue: usual as string, ...streams }));
      return chosen as keyof typeof choices;
    },
    confirm: async (message) => answered(await confirm({ message, ...streams })),
    secret: async (message) => answered(await password({ message, ...streams })),
  };
}
