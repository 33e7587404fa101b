import { isJsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { anything } from './Expectation.ts'

/** The paths of all values in an expected value that hold no others and are compared, as `.transactions[0].utime`. */
export const listLeaves = (value: JsonValue, path = ''): string[] => {
  if (value === anything) return []
  if (Array.isArray(value)) return value.flatMap((item: JsonValue, at) => listLeaves(item, `${path}[${at}]`))
  if (!isJsonObject(value)) return [path]
  return Object.entries(value).flatMap(([name, member]) => listLeaves(member, `${path}.${name}`))
}

/** The same value with one of those changed a little. */
export const mutateLeaf = (value: JsonValue, leaf: string, path = ''): JsonValue => {
  if (path === leaf) return changed(value)
  if (Array.isArray(value)) return value.map((item: JsonValue, at) => mutateLeaf(item, leaf, `${path}[${at}]`))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mutateLeaf(member, leaf, `${path}.${name}`)]),
  )
}

/** Numbers by one, switches to the other side, and of a text its last letter, which in a hash or an address is just as wrong. */
const changed = (value: JsonValue): JsonValue => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'string') return value.endsWith('1') ? `${value.slice(0, -1)}2` : `${value.slice(0, -1)}1`
  return !value
}
