import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress, readEitherPayload } from './body.ts'
import { type Payload, toPayload } from './payload.ts'
import { tryRead } from './tryRead.ts'

/** Opcodes of items and collections (TEP-62), and of items that are sold by Telegram. */
export const nftOps = {
  transfer: 0x5fcc3d14,
  ownershipAssigned: 0x05138d91,
  getStaticData: 0x2fcb26a2,
  reportStaticData: 0x8b771735,
  excesses: 0xd53276db,
  fillUp: 0x370fec51,
  teleitemDeploy: 0x299a3e15,
  outbid: 0x557cea20,
} as const

/** Tag of a payload that says for how much an item was sold. */
const BID_INFO = 0x38127de1

export type NftTransferBody = {
  readonly queryId: bigint
  readonly newOwner: string | undefined
  readonly response: string | undefined
  readonly customPayload: Cell | undefined
  readonly forwardAmount: bigint
  readonly forward: Payload | undefined
}

export const readNftTransfer = (block: Block): NftTransferBody => {
  const r = openBody(block)
  const body = {
    queryId: r.readUint64(),
    newOwner: readAddress(r),
    response: readAddress(r),
    customPayload: r.readMaybeRefCell(),
    forwardAmount: r.readCoins(),
  }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload && toPayload(payload) }
}

export type OwnershipAssignedBody = {
  readonly queryId: bigint
  readonly previousOwner: string | undefined
  readonly forward: Payload | undefined
}

export const readOwnershipAssigned = (block: Block): OwnershipAssignedBody => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), previousOwner: readAddress(r) }
  // Some announce a payload in a cell that is not there: they have none.
  const isMissing = r.remainingBits > 0 && r.peekUint(1) === 1 && r.remainingRefs === 0
  const payload = isMissing ? undefined : readEitherPayload(r)
  return { ...body, forward: payload && toPayload(payload) }
}

/** What was paid at an auction, where the payload says that there was one. */
export const findBid = (payload: Payload | undefined): bigint | undefined => {
  if (payload?.tag !== BID_INFO) return undefined
  return tryRead(() => {
    const r = openCell(payload.cell)
    r.skipBits(32)
    return r.readCoins()
  })
}

export const readReportedStatic = (
  block: Block,
): { readonly index: bigint; readonly collection: string | undefined } => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUintWide(256), collection: readAddress(r) }
}

export type TeleitemAuctionBody = {
  readonly beneficiary: string | undefined
  readonly minBid: bigint
  readonly maxBid: bigint
}

export const readTeleitemAuction = (block: Block): TeleitemAuctionBody => {
  const r = openBody(block)
  r.skipBits(64)
  const config = r.readRef()
  const terms = tryRead(() => ({
    beneficiary: readAddress(config),
    minBid: config.readCoins(),
    maxBid: config.readCoins(),
  }))
  return terms ?? { beneficiary: undefined, minBid: 0n, maxBid: 0n }
}
