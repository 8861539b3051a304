import type { IncomingMessage, ServerResponse } from 'node:http';

type AnswerScrape = (request: IncomingMessage, response: ServerResponse) => void;

/** Undefined until telemetry starts, in in-process tests, and if the SDK is disabled. */
let answer: AnswerScrape | undefined;

export function serveScrapes(next: AnswerScrape | undefined): void {
  answer = next;
}

export function answerScrape(request: IncomingMessage, response: ServerResponse): boolean {
  answer?.(request, response);
  return answer !== undefined;
}
