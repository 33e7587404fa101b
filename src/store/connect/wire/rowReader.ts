import { LruCache } from '../../../primitives/LruCache.ts'
import type { ReadValue } from './readValue.ts'

/** A column of a statement. Those of one type are read in the same way. */
export type NamedColumn = { readonly name: string; readonly type: number; readonly read: ReadValue }

/** Makes an object of a row of a statement, which begins at `start`. */
export type ReadRow = (bytes: Buffer, start: number) => Record<string, unknown>

/** Connections ask the same statements: what was made for one of them serves all. */
const readers = new LruCache<ReadRow>(2000)

/** How the rows of a statement with these columns are read. */
export const findRowReader = (columns: readonly NamedColumn[]): ReadRow => {
  const key = JSON.stringify(columns.map(({ name, type }) => [name, type]))
  const known = readers.find(key)
  if (known !== undefined) return known
  const made = compile(columns)
  readers.set(key, made)
  return made
}

/**
 * It is written as a program for these columns: every row has its shape at once then, in place of one that grows by a member at a time,
 * which takes twice as long. Of the names, which are those of our own statements, nothing but their JSON is in it.
 */
const compile = (columns: readonly NamedColumn[]): ReadRow => {
  const values = columns.map(
    (_, k) => `  length = bytes.readInt32BE(at)
  at += 4
  const value${k} = length < 0 ? null : read${k}(bytes, at, at + length)
  if (length > 0) at += length`,
  )
  const members = columns.map(({ name }, k) => `${JSON.stringify(name)}: value${k}`)
  const text = `return (bytes, start) => {
  let at = start + 2
  let length = 0
${values.join('\n')}
  return { ${members.join(', ')} }
}`
  const create = new Function(...columns.map((_, k) => `read${k}`), text) as (...readers: ReadValue[]) => ReadRow
  return create(...columns.map(({ read }) => read))
}
