import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { decodeBoc } from '../../../src/codec/cell/decodeBoc.ts'
import { MERKLE_PROOF, PRUNED_BRANCH } from '../../../src/codec/cell/exotic.ts'
import { decodeLiteAnswer, type LiteFunctionName } from '../../../src/codec/tl/liteQuery.ts'
import { openAccount } from '../../../src/codec/tlb/Account.ts'
import { CodedError } from '../../../src/primitives/errors.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { decodeLiteQuery } from '../decodeLiteQuery.ts'
import { compareAllShapes, describeShape, type Shape, type ShapeDifference } from './describeShape.ts'

/** A question to a liteserver with the answer of the recorded node. */
export type RecordedPair = { readonly name: string; readonly request: Uint8Array; readonly response: Uint8Array }

const BOC_MAGIC = 'b5ee9c72'
const PARTS: Readonly<Record<number, readonly [name: string, parts: readonly string[]]>> = {
  300897706: ['block', ['info', 'value flow', 'state update', 'extra']],
  2418257890: ['state', ['queues', 'accounts', 'totals', 'custom']],
}

/** What a cell is, as far as its tag says, and which of its parts are there and not pruned. */
const describeCell = (cell: Cell): string => {
  if (cell.exoticType === MERKLE_PROOF) return `proof of ${describeCell(cell.ref(0))}`
  if (cell.exoticType === PRUNED_BRANCH) return 'something pruned'
  const [name, parts] = cell.bits < 32 ? [] : (PARTS[openCell(cell).readUint(32)] ?? [])
  if (name === undefined || parts === undefined) return 'a cell'
  const there = parts.filter((_, k) => k < cell.refCount && cell.ref(k).exoticType !== PRUNED_BRANCH)
  return `a ${name} with ${there.join(', ')}`
}

/** Bytes that hold cells are opened, so that answers are compared by what is in them. */
const openBytes = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => openBytes(name, each))
  if (value instanceof Uint8Array) {
    if (value.length === 0) return 'no bytes'
    if (toHex(value.subarray(0, 4)) !== BOC_MAGIC) return value
    const roots = decodeBoc(value)
    if (name === 'state' && roots.length === 1) return describeAccount(roots[0]!)
    // How many there are of a kind, of transactions for instance, is not a matter of structure.
    return [...new Set(roots.map(describeCell))].sort().join(' and ')
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, openBytes(key, each)]))
}

/** Accounts differ from each other more than networks do; here only their status counts. */
const describeAccount = (cell: Cell): string => {
  if (cell.isExotic) return describeCell(cell)
  try {
    const account = openAccount(cell)
    return account.kind === 'none' ? 'no account' : `an account that is ${account.state.kind}`
  } catch (error) {
    if (error instanceof CodedError) return describeCell(cell)
    throw error
  }
}

/** Numbers, hashes and ids in the text of an error are those of its question, and a log is that of its contract. */
const maskText = (text: string): string =>
  text
    .replace(/VM Log.*$/s, 'VM Log')
    .replace(/[0-9A-Fa-f]{16,}/g, '#')
    .replace(/-?\d+/g, '#')
    .replace(/\s+/g, ' ')

const shapeOfAnswer = (kind: LiteFunctionName, bytes: Uint8Array): Shape => {
  const answer = decodeLiteAnswer(kind, bytes)
  if (answer.ok) return describeShape(openBytes('', answer.result))
  const { code, message } = answer.error
  return describeShape({ error: { code: `${code}`, text: maskText(message) } })
}

/** A question that is none, as the recorder sent it to see the error. */
const findKind = (request: Uint8Array): LiteFunctionName | undefined => {
  try {
    return decodeLiteQuery(request).call.kind as LiteFunctionName
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/**
 * Asks the recorded questions of another server and says where its answers have another structure. `translate` puts the things
 * of that network in the place of those in the question, which it cannot know; `undefined` leaves a question out.
 */
export const compareAnswerShapes = async (
  pairs: readonly RecordedPair[],
  ask: (question: Uint8Array) => Promise<Uint8Array>,
  translate: (question: Uint8Array) => Uint8Array | undefined,
): Promise<{ readonly asked: number; readonly differences: ShapeDifference[] }> => {
  const [recorded, own] = [new Map<string, Shape>(), new Map<string, Shape>()]
  for (const { name, request, response } of pairs) {
    const question = translate(request)
    if (question === undefined) continue
    const kind = findKind(request) ?? 'liteServer.getTime'
    recorded.set(name, shapeOfAnswer(kind, response))
    own.set(name, shapeOfAnswer(kind, await ask(question)))
  }
  return { asked: recorded.size, differences: compareAllShapes(recorded, own) }
}
