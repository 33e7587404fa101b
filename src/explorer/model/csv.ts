/** A cell that a spreadsheet would take for a formula gets an apostrophe; numbers stay what they are. */
const escapeCell = (value: string): string => {
  const isFormula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value)
  const safe = isFormula ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type CsvRow = readonly (string | number | undefined)[]

/** Lines as RFC 4180 has them. */
export const writeCsv = (rows: readonly CsvRow[]): string =>
  rows.map((row) => `${row.map((value) => escapeCell(String(value ?? ''))).join(',')}\r\n`).join('')

/** An amount of the smallest unit as a plain decimal number. */
export const formatDecimal = (amount: bigint | string, decimals: number): string => {
  const value = BigInt(amount)
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
