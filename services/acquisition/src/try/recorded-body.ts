const MAX_RECORDED_BYTES = 4 * 1024 * 1024;

const REDACTED = '[secret]';

export interface Recording {
  /** At most MAX_RECORDED_BYTES, without secrets in any encoding. */
  bytes(): Uint8Array;
  isCut(): boolean;
}

export function recorded(
  body: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): { readonly body: AsyncIterable<Uint8Array>; readonly recording: Recording } {
  const forms = formsOf(secrets);
  // A secret across the cut is recognised only with its remaining bytes.
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

/** Replaces bytes, so that binary content stays intact. */
function withoutSecrets(bytes: Buffer, forms: readonly string[]): Uint8Array {
  const text = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), bytes.toString('latin1'));
  return Buffer.from(text, 'latin1');
}
