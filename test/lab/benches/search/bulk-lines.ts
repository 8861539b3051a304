const PIECE_BYTES = 65_536;
/** Longest UTF-8 encoding of one UTF-16 unit. */
const MOST_BYTES = 3;

/**
 * Collects lines as bytes, because garbage collection of many concatenated strings costs more than
 * their creation.
 */
export interface Lines {
  add(line: string): void;
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
