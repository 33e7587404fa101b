/** A plain text table: a column per key of the first row, numbers to the right and with at most four significant digits. */
export const formatTable = (rows: readonly Readonly<Record<string, string | number>>[]): string => {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((column) => formatValue(row[column] ?? '')))
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]?.length ?? 0)))
  const isNumber = columns.map((column) => rows.every((row) => typeof row[column] === 'number'))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/** Whole numbers as they are, others rounded to four significant digits: more would be noise in a measurement. */
export const roundFigure = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(4)))

const formatValue = (value: string | number): string => (typeof value === 'number' ? String(roundFigure(value)) : value)
