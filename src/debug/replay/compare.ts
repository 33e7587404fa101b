import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { toBase64 } from '../../primitives/base64.ts'

/** A member of the transaction that differs; `null` where one of both does not have it. */
export type Difference = { readonly member: string; readonly chain: string | null; readonly replay: string | null }

/** Members of two transactions that differ, in the order of the layout. Messages are compared by hash. */
export const listDifferences = (chain: Cell, replay: Cell): Difference[] => {
  const expected = flattenTransaction(chain)
  const got = flattenTransaction(replay)
  const members = new Set([...expected.keys(), ...got.keys()])
  return [...members].flatMap((member) => {
    const [one = null, other = null] = [expected.get(member), got.get(member)]
    return one === other ? [] : [{ member, chain: one, replay: other }]
  })
}

/** All members by path, such as `description.compute_phase.gas_used`. */
const flattenTransaction = (cell: Cell): Map<string, string> => {
  const members = new Map<string, string>()
  flatten(readWhole(cell, readTransaction, 'A transaction'), '', members)
  return members
}

const flatten = (value: unknown, path: string, members: Map<string, string>): void => {
  if (value === undefined) return
  if (value instanceof Cell) members.set(path, toBase64(value.hash()))
  else if (value instanceof Uint8Array) members.set(path, toBase64(value))
  else if (value instanceof Dict) {
    value.forEach((key: unknown, entry: unknown) => {
      flatten(entry, `${path}.${String(key)}`, members)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      flatten(each, path === '' ? toSnake(name) : `${path}.${toSnake(name)}`, members)
    }
  } else members.set(path, String(value))
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
