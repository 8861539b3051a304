const TOKEN = /\bces_(live|test)_[0-9A-Za-z]+/g;

/** A text that may quote what a client sent, without the credentials it may have put in the wrong place. */
export function hideTokens(text: string): string {
  return text.replace(TOKEN, 'ces_$1_…');
}
