import type { World } from './command.ts';
import { Refusal, UsageError } from './refusal.ts';

/** Asks the person at the terminal, on standard error, so that standard output holds the answer of the verb alone. */
export interface Questions {
  text(message: string, usual: string): Promise<string>;
  choose<T extends string>(message: string, choices: Readonly<Record<T, string>>, usual: NoInfer<T>): Promise<T>;
  confirm(message: string): Promise<boolean>;
}

/** Whether there is somebody to ask. */
export function canAsk({ stdin, stderr }: World): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true;
}

/** Throws a UsageError with `otherwise` where nobody can be asked; a question that is cancelled throws a Refusal. */
export async function openQuestions(world: World, otherwise: string): Promise<Questions> {
  const { stdin, stderr, signal } = world;
  if (!canAsk(world) || stdin === undefined) throw new UsageError(otherwise);
  // Only who is asked something waits for it to load.
  const { confirm, isCancel, select, text } = await import('@clack/prompts');
  const streams = { input: stdin, output: stderr as NodeJS.WriteStream, signal };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new Refusal('Nothing was done: it was cancelled.', { code: 'cancelled' });
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
  };
}
