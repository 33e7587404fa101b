import { Dict } from '../../codec/cell/Dict.ts'
import { type DnsEntry, listDnsEntries } from '../../codec/content/dns.ts'
import { decodeUtf8, readSnake } from '../../codec/content/text.ts'
import { contentDictType } from '../../codec/content/tokenContent.ts'
import type { Address } from '../../primitives/Address.ts'
import { bytesArgument, intArgument } from '../methods/arguments.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { RunMethod } from '../methods/RunMethod.ts'

/** The name that an NFT item stands for. */
export type ItemDomain = {
  /** Its own label, without the zone that its collection keeps; absent where the item does not tell. */
  readonly label: string | undefined
  readonly entries: readonly DnsEntry[]
}

/** The byte that stands for the resolver's own name. */
const self = new Uint8Array(1)

const LABEL_LIMITS = { maxCells: 2, maxBytes: 127 }

/** The domain of an item, if it is one: it resolves its own name to a dictionary of records. */
export const findItemDomain = async (run: RunMethod, item: Address): Promise<ItemDomain | undefined> => {
  const result = await run(item, 'dnsresolve', [bytesArgument(self), intArgument(0n)])
  if (result.stack.length !== 2) return undefined
  const entries = findReadable(() => {
    const r = new ResultReader(result)
    r.readInt()
    return listDnsEntries(new Dict(contentDictType, r.readCell()))
  })
  return entries === undefined ? undefined : { label: await findItemLabel(run, item), entries }
}

const findItemLabel = async (run: RunMethod, item: Address): Promise<string | undefined> => {
  const result = await run(item, 'get_domain', [])
  return findReadable(() => decodeUtf8(readSnake(new ResultReader(result).readContent(), LABEL_LIMITS)))
}
