import pg from 'pg'

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231

/** Every numeric of ours is a whole number: an amount of coins or tokens, an index. */
const parseWhole = (text: string): bigint => BigInt(text)

const parseWholes = (text: string): (bigint | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : BigInt(item)))

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, parseWhole],
  [NUMERIC, parseWhole],
  [INT8_ARRAY, parseWholes],
  [NUMERIC_ARRAY, parseWholes],
])

/** How texts of the server become values: 64-bit and decimal numbers as bigint, the rest as the driver does. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}
