import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import type { PendingTrace } from '../../store/reader/pending.ts'

/** What JSON has no form for: amounts and bytes. No name of ours begins with such a sign. */
const AMOUNT = '$n'
const BYTES = '$b'

/** A trace as text, for other processes. */
export const encodeTrace = (trace: PendingTrace): string => JSON.stringify(toPlain(trace))

const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return { [AMOUNT]: value.toString() }
  if (value instanceof Uint8Array) return { [BYTES]: toBase64(value) }
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]))
}

/** The trace that {@link encodeTrace} was given; `undefined` for anything else. */
export const decodeTrace = (text: string): PendingTrace | undefined => {
  try {
    const trace = JSON.parse(text, revive) as PendingTrace | null
    return trace?.externalHashNorm instanceof Uint8Array && Array.isArray(trace.transactions) ? trace : undefined
  } catch {
    return undefined
  }
}

const revive = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const { [AMOUNT]: amount, [BYTES]: bytes } = value as Record<string, unknown>
  if (typeof amount === 'string') return BigInt(amount)
  return typeof bytes === 'string' ? fromBase64(bytes) : value
}
