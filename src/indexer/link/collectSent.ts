import { MESSAGE_KIND } from '../DecodedUnit.ts'
import type { OpenMessage } from '../OpenTraces.ts'
import { HASH_BYTES } from './HashNumbers.ts'
import type { LinkableUnit } from './LinkableUnit.ts'
import type { TraceAssembly } from './TraceAssembly.ts'

const ACCOUNT_BYTES = 33

/** Messages of a unit that nobody has received, by their places among those sent, and those of them that somebody may yet receive. */
export type SentMessages = { readonly unreceived: Uint32Array; readonly underWay: readonly OpenMessage[] }

/**
 * Looks through the messages of a unit after all was linked, and writes the trace ids into the rows of those that nobody received.
 * `first` is the number of the first.
 */
export const collectSent = (
  assembly: TraceAssembly,
  { seqno, transactions, messages }: LinkableUnit,
  first: number,
): SentMessages => {
  const { count, accounts, outStarts } = transactions
  const { kinds, hashes, lts, rows } = messages
  const unreceived: number[] = []
  const underWay: OpenMessage[] = []
  for (let i = 0; i < count; i++) {
    const end = outStarts[i + 1]!
    for (let k = outStarts[i]!; k < end; k++) {
      if (assembly.isReceived(first + k)) continue
      const { traceId } = assembly.senders[first + k]!
      unreceived.push(k)
      rows.bytes.set(traceId, rows.ends[k]! - HASH_BYTES)
      if (kinds[k] !== MESSAGE_KIND.internal) continue
      const hash = hashes.slice(k * HASH_BYTES, (k + 1) * HASH_BYTES)
      const account = accounts.slice(i * ACCOUNT_BYTES, (i + 1) * ACCOUNT_BYTES)
      underWay.push({ hash, traceId, account, createdLt: lts[k]!, seqno })
    }
  }
  return { unreceived: Uint32Array.from(unreceived), underWay }
}
