import assert from 'node:assert/strict'
import type { IndexDump } from './dumpIndex.ts'

/** Names the tables that differ, with the rows that only one side has. */
export const assertSameIndex = (actual: IndexDump, expected: IndexDump, message?: string): void => {
  const differences = Object.keys({ ...expected, ...actual }).flatMap((table) => {
    const [left, right] = [new Set(actual[table]), new Set(expected[table])]
    const more = (actual[table] ?? []).filter((row) => !right.has(row)).map((row) => `more: ${row.slice(0, 700)}`)
    const less = (expected[table] ?? []).filter((row) => !left.has(row)).map((row) => `less: ${row.slice(0, 700)}`)
    const isSame = more.length + less.length === 0 && actual[table]?.length === expected[table]?.length
    return isSame
      ? []
      : [
          {
            table,
            rows: [actual[table]?.length, expected[table]?.length],
            more: more.slice(0, 2),
            less: less.slice(0, 2),
          },
        ]
  })
  assert.deepEqual(differences, [], message)
}
