import { getBOMEncoding, normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import { Undecodable } from '../../connector/unreadable.ts';

export type Decoder = InstanceType<typeof TextDecoder>;

export interface CharsetOptions {
  /** WHATWG label that overrides every declaration except a byte order mark. */
  readonly charset?: string;
}

/** HTML Standard, "prescan a byte stream". */
const DECLARED_WITHIN = 1_024;
/** Bytes from the first non-ASCII byte on that decide an undeclared charset. */
const JUDGED_BY = 64 * 1_024;
const XML_DECLARATION = /^\s*<\?xml[^>]{0,80}encoding\s*=\s*["']([\w.:-]+)/;
/**
 * Characters of English, French and Spanish in Windows-1252. Others suggest another charset:
 * damaged UTF-8 has `Ã`, Mac OS Roman `Ž`, Cyrillic charsets `å`.
 */
const PLAIN_WINDOWS_1252 = new Set(
  Buffer.from(
    '\x85\x8c\x91\x92\x93\x94\x95\x96\x97\x99\x9c\xa0¡¢£§©ª«®°±²³´·º»¼½¾¿ÀÁÄÇÈÉÊËÌÍÎÏÑÒÓÔÖ×ÙÚÛÜßàáâäçèéêëìíîïñòóôöùúûüÿ',
    'latin1',
  ),
);
/** No Latin text has words without ASCII, or quotation marks inside words. `“ú–{` is Japanese. */
const NO_WINDOWS_1252 =
  /[\xc0-\xff]{4}|[\xc0-\xff][\x8c\x91\x93]|[\x8c\x9c][\xc0-\xff]|[\x91\x93-\x95][\xc0-\xff][\x95-\x97]/;

/** Precedence: byte order mark, `options.charset`, Content-Type, XML declaration. */
export function declaredCharset(
  beginning: Uint8Array,
  contentType: string | undefined,
  { charset }: CharsetOptions = {},
): string | undefined {
  const header = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  return (
    getBOMEncoding(beginning) ??
    known(charset) ??
    known(header) ??
    known(withinAscii(XML_DECLARATION.exec(latin1(beginning.subarray(0, DECLARED_WITHIN)))?.[1]))
  );
}

/**
 * Decodes a stream without its byte order mark. Undeclared: UTF-8, or Windows-1252 if the bytes are
 * invalid UTF-8 and plain Windows-1252. Throws Undecodable.
 */
export class DocumentDecoder {
  readonly #contentType: string | undefined;
  readonly #options: CharsetOptions;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #wanted = DECLARED_WITHIN;
  #isUndeclared = false;
  #decoder: Decoder | undefined;
  #isGuessed = false;

  constructor(contentType: string | undefined, options: CharsetOptions = {}) {
    this.#contentType = contentType;
    this.#options = options;
  }

  write(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decode(this.#decoder, bytes, true);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    return this.#heldBytes < this.#wanted ? '' : this.#readHeld(false);
  }

  end(): string {
    const text = this.#decoder ? '' : this.#readHeld(true);
    return this.#decoder ? text + this.#decode(this.#decoder, new Uint8Array(), false) : text;
  }

  #readHeld(isEnd: boolean): string {
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (!this.#isUndeclared) {
      const declared = declaredCharset(bytes, this.#contentType, this.#options);
      if (declared !== undefined) return this.#begin(declared, bytes);
      this.#isUndeclared = true;
    }
    const ascii = bytes.subarray(0, lengthOfAscii(bytes));
    const rest = bytes.subarray(ascii.length);
    this.#wanted = rest.length === 0 ? 1 : JUDGED_BY;
    if (rest.length === 0 || (rest.length < JUDGED_BY && !isEnd)) {
      if (rest.length > 0) this.#held.push(rest);
      this.#heldBytes = rest.length;
      return latin1(ascii);
    }
    this.#isGuessed = !isUtf8(rest, isEnd);
    if (this.#isGuessed && NO_WINDOWS_1252.test(latin1(rest))) throw unsure();
    return latin1(ascii) + this.#begin(this.#isGuessed ? 'windows-1252' : 'utf-8', rest);
  }

  #begin(charset: string, bytes: Uint8Array): string {
    this.#decoder = decoderOf(charset, { fatal: true });
    return this.#decode(this.#decoder, bytes, true);
  }

  #decode(decoder: Decoder, bytes: Uint8Array, stream: boolean): string {
    if (this.#isGuessed && !bytes.every((byte) => byte < 0x80 || PLAIN_WINDOWS_1252.has(byte))) throw unsure();
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new Undecodable(decoder.encoding);
    }
  }
}

/** `charset` is a result of `declaredCharset`. Throws Undecodable. */
export function decoderOf(charset: string, options: { readonly fatal?: boolean } = {}): Decoder {
  // Browsers and filters read these charsets differently (Encoding Standard, `replacement`).
  if (charset === 'replacement') throw new Undecodable('in a charset that can be read safely');
  return new TextDecoder(charset, options);
}

function unsure(): Undecodable {
  return new Undecodable('UTF-8, and not surely of another charset');
}

function known(label: string | undefined): string | undefined {
  return (label && normalizeEncoding(label)) || undefined;
}

/** A declaration that was read as ASCII cannot be UTF-16; the HTML Standard reads it as UTF-8. */
function withinAscii(label: string | undefined): string | undefined {
  return /^utf-?16/i.test(label ?? '') ? 'utf-8' : label;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function lengthOfAscii(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  return first < 0 ? bytes.length : first;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}
