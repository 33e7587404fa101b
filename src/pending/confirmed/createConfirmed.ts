import type { PendingBlockSource } from '../../chain/ports.ts'
import { readWalletBalance } from '../../contracts/tokens/readWalletBalance.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type Address, parseAddressKey } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import type { ReadServer } from '../../store/connect/Database.ts'
import { findWalletFacts, type WalletFacts } from '../../store/reader/eventRows.ts'
import type { JettonWallet } from '../../store/reader/jettons.ts'
import { findMessageEnds } from '../../store/reader/messageEnds.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type { ClassifyTrace } from '../assembleTrace.ts'
import { readStarted } from '../PendingTracker.ts'
import type { FindIndexed, IndexedTrace } from './ConfirmedTraces.ts'
import { type ConfirmedOptions, ConfirmedTracker } from './ConfirmedTracker.ts'
import type { DecodedPendingBlock, PendingBlockTransaction } from './decodePendingBlock.ts'

export type ConfirmedParts = Pick<ConfirmedOptions, 'watchFinal' | 'times'> & {
  readonly source: PendingBlockSource
  readonly reader: () => ReadServer
  readonly classify: ClassifyTrace
  readonly logger: Logger
}

/** Follows confirmed blocks, with an index for what they continue. */
export const createConfirmed = ({ reader, ...parts }: ConfirmedParts): ConfirmedTracker =>
  new ConfirmedTracker({
    ...parts,
    findIndexed: (hashes) => findIndexed(reader(), hashes),
    findWallets: (block) => findWallets(reader(), block),
  })

/** Indexed traces that a block continues; transactions of further ones have no trace events. */
const MAX_INDEXED = 100
const PARALLEL = 4

const findIndexed = async (server: ReadServer, hashes: Parameters<FindIndexed>[0]): ReturnType<FindIndexed> => {
  const found = new Map<string, IndexedTrace>()
  if (hashes.length === 0) return found
  const ends = await findMessageEnds(server.listReads, hashes)
  const ids = new Map(ends.map(({ traceId }) => [toHex(traceId), traceId]))
  const limit = createSemaphore(PARALLEL)
  const traces = new Map<string, IndexedTrace>()
  await Promise.all(
    [...ids].slice(0, MAX_INDEXED).map(([key, traceId]) =>
      limit(async () => {
        traces.set(key, { traceId, transactions: await readStarted(server, traceId) })
      }),
    ),
  )
  for (const { messageHash, traceId } of ends) {
    const trace = traces.get(toHex(traceId))
    if (trace !== undefined && trace.transactions.length > 0) found.set(toHex(messageHash), trace)
  }
  return found
}

/** Wallets that the index knows, whose data has a known layout. Others have an event when the block is final. */
const findWallets = async (
  { keyedReads }: ReadServer,
  { transactions }: DecodedPendingBlock,
): Promise<JettonWallet[]> => {
  const last = new Map(transactions.filter(({ isLast }) => isLast).map((each) => [keyText(each.account), each]))
  const facts = await findWalletFacts(
    keyedReads,
    [...last.values()].map(({ account }) => account),
  )
  return facts.flatMap((each) => toWallet(each, last.get(keyText(each.address))!) ?? [])
}

const toWallet = (
  { address, owner, jetton }: WalletFacts,
  { after, data, transaction: { lt } }: PendingBlockTransaction,
): JettonWallet | undefined => {
  const { codeHash, dataHash } = after.known ?? {}
  const [ownerAddress, master] = [toAddress(owner), toAddress(jetton)]
  if (codeHash === undefined || dataHash === undefined || data === undefined) return undefined
  const balance = ownerAddress && master && readWalletBalance(data, ownerAddress, master)
  return balance === undefined ? undefined : { address, balance, owner, jetton, lastLt: lt, codeHash, dataHash }
}

const toAddress = (key: Uint8Array): Address | undefined => {
  const address = parseAddressKey(key)
  return typeof address === 'string' ? undefined : address
}
