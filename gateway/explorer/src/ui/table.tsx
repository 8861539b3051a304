import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './table.module.css';

interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly captionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
}

export function Table<Row>({ caption, captionHidden = false, columns, rows, rowKey }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={caption}>
      <table className={styles.table}>
        <caption className={captionHidden ? styles.hidden : styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, numeric }) => (
              <th key={name} scope="col" className={classes(numeric && styles.numeric)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ name, cell, numeric }, index) =>
        index === 0 ? (
          <th key={name} scope="row">
            {cell(row)}
          </th>
        ) : (
          <td key={name} className={classes(numeric && styles.numeric)}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}
