import { toHex } from '../primitives/hex.ts'
import type { InvalidationEvent, StateInvalidationEvent, StreamEvent } from './events.ts'

/** The trace of an event, as a key; `undefined` for events that are not of a trace. */
export const traceKeyOf = (event: StreamEvent): string | undefined => {
  if ('externalHashNorm' in event) return toHex(event.externalHashNorm)
  if (!('trace' in event)) return undefined
  const hash = event.trace.externalHashNorm ?? event.trace.traceId
  return hash && toHex(hash)
}

export const isInvalidation = (event: StreamEvent): event is InvalidationEvent | StateInvalidationEvent =>
  event.kind === 'expired' || event.kind === 'invalidated' || event.kind === 'stateInvalidated'

/** What an event tells of before it is final, or takes back: traces, or the state of an account at a logical time. */
export const toldKeysOf = (event: StreamEvent): readonly string[] => {
  switch (event.kind) {
    case 'st':
    case 'stateInvalidated':
      return [stateText(event.account, event.lt)]
    case 'je':
      return [stateText(event.wallet.address, event.lt)]
    default: {
      if ('traceHashes' in event && event.traceHashes !== undefined) return event.traceHashes.map(toHex)
      const trace = traceKeyOf(event)
      return trace === undefined ? [] : [trace]
    }
  }
}

const stateText = (account: Uint8Array, lt: bigint): string => `state ${toHex(account)} ${lt}`

/** A later event with the same key replaces an earlier one. */
export const keyOf = (event: StreamEvent): string | undefined => {
  const trace = 'trace' in event ? traceKeyOf(event) : undefined
  return trace === undefined ? undefined : `${event.kind} ${trace}`
}
