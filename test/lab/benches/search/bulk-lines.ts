const PIECE_BYTES = 65_536;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** Lines as bytes, written at once: a hundred thousand strings that are put together of parts cost the collector of garbage more than their making. */
export interface Lines {
  add(line: string): void;
  /** What was added, in order. */
  pieces(): Iterable<Buffer>;
}

export function createLines(): Lines {
  const full: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let end = 0;
  return {
    add(line) {
      const most = line.length * MOST_BYTES;
      if (end + most > piece.length) {
        if (end > 0) full.push(piece.subarray(0, end));
        piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, most));
        end = 0;
      }
      end += piece.write(line, end);
    },
    pieces: () => (end > 0 ? [...full, piece.subarray(0, end)] : full),
  };
}
