/** Whether a text brings quotation marks of its own, so that another pair would double them. */
export function isQuoted(text: string): boolean {
  return /^\s*["“”„«‘'’]/u.test(text) || /["“”»]\s*$/u.test(text);
}
