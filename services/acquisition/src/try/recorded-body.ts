/** Most bytes of one answer that are handed over. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024;

const REDACTED = '[secret]';

/** The bytes of an answer that were read so far. */
export interface Recording {
  /** At most MAX_RECORDED_BYTES of them, with every secret taken out, as it is and as addresses and JSON write it. */
  bytes(): Uint8Array;
  /** True: the answer went on behind them. */
  isCut(): boolean;
}

/** A body that remembers what is read of it; `secrets`: texts that a source may repeat in its answer. */
export function recorded(
  body: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): { readonly body: AsyncIterable<Uint8Array>; readonly recording: Recording } {
  const forms = formsOf(secrets);
  // A secret over the cut is known by its rest.
  const most = MAX_RECORDED_BYTES + Math.max(0, ...forms.map((form) => form.length));
  const chunks: Uint8Array[] = [];
  let size = 0;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (size < most) chunks.push(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return {
    body: passed(),
    recording: {
      bytes: () => withoutSecrets(Buffer.concat(chunks).subarray(0, most), forms).subarray(0, MAX_RECORDED_BYTES),
      isCut: () => size > MAX_RECORDED_BYTES,
    },
  };
}

/** Each secret as a source may write it, as bytes of Latin-1, the longest first, since one may hold another. */
function formsOf(secrets: readonly string[]): string[] {
  const written = secrets.flatMap((secret) => {
    const percent = encodeURIComponent(secret.toWellFormed());
    const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    const form = new URLSearchParams({ s: secret }).toString().slice('s='.length);
    return [secret, percent, lower, form, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')];
  });
  const bytes = written.map((form) => Buffer.from(form).toString('latin1'));
  return [...new Set(bytes)].filter((form) => form !== '').toSorted((a, b) => b.length - a.length);
}

/** Byte for byte, so that what is no text stays what it is. */
function withoutSecrets(bytes: Buffer, forms: readonly string[]): Uint8Array {
  const text = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), bytes.toString('latin1'));
  return Buffer.from(text, 'latin1');
}
