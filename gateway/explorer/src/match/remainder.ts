interface Taken {
  readonly text: string;
  readonly before: string;
}

export class Remainder {
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  take(pattern: RegExp): readonly Taken[] {
    const taken = [...this.text.matchAll(pattern)].map(({ 0: text, index }) => ({
      text,
      before: this.text.slice(0, index),
    }));
    this.text = this.text.replace(pattern, ' ');
    return taken;
  }
}
