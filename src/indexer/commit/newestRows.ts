type ContractRow = { readonly last_lt: bigint; readonly since_lt?: bigint }

/** One row for each key: the newest, with the least `since_lt` of all. */
export const newestRows = <Row extends ContractRow>(rows: readonly Row[], keyOf: (row: Row) => Uint8Array): Row[] => {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const key = Buffer.from(keyOf(row)).toString('latin1')
    const other = newest.get(key)
    newest.set(key, other === undefined ? row : merge(other, row))
  }
  return [...newest.values()]
}

const merge = <Row extends ContractRow>(a: Row, b: Row): Row => {
  const newer = b.last_lt >= a.last_lt ? b : a
  if (a.since_lt === undefined || b.since_lt === undefined) return newer
  return { ...newer, since_lt: a.since_lt < b.since_lt ? a.since_lt : b.since_lt }
}
