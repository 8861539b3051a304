type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

const FIRST_LENGTH = 1024;

export interface GrowableArray<T extends Numbers> {
  readonly values: T;
  set(at: number, value: number): void;
}

export function growableArray<T extends Numbers>(type: new (length: number) => T): GrowableArray<T> {
  let values = new type(FIRST_LENGTH);
  return {
    get values() {
      return values;
    },
    set(at, value) {
      if (at >= values.length) {
        const larger = new type(Math.max(at + 1, values.length + (values.length >> 1)));
        larger.set(values);
        values = larger;
      }
      values[at] = value;
    },
  };
}
