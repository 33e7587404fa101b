import { openCell } from '../../codec/cell/CellReader.ts'
import { call, type Matcher } from '../match/Matcher.ts'
import type { NftItemFacts } from '../trace/AccountFacts.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { messageOf, openBody, readAddress, readEitherPayload, tryRead } from './body.ts'
import { deployedAccounts, getCall, isCall } from './core.ts'
import { type Payload, toPayload } from './jettons.ts'

/** Opcodes of items and collections (TEP-62) and of Telegram items. */
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

/** Tag of a payload with the sale price of an item. */
const BID_INFO = 0x38127de1

export const readNftTransfer = (block: Block) => {
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

export const readOwnershipAssigned = (block: Block) => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), previousOwner: readAddress(r) }
  // Some bodies announce a payload cell that does not exist: no payload.
  const isMissing = r.remainingBits > 0 && r.peekUint(1) === 1 && r.remainingRefs === 0
  const payload = isMissing ? undefined : readEitherPayload(r)
  return { ...body, forward: payload && toPayload(payload) }
}

/** The price at an auction, where the payload names one. */
export const findBid = (payload: Payload | undefined): bigint | undefined => {
  if (payload?.tag !== BID_INFO) return undefined
  return tryRead(() => {
    const r = openCell(payload.cell)
    r.skipBits(32)
    return r.readCoins()
  })
}

const readReportedStatic = (block: Block): { readonly index: bigint; readonly collection: string | undefined } => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUintWide(256), collection: readAddress(r) }
}

export const readTeleitemAuction = (block: Block) => {
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

const DNS_COLLECTION = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'
const DNS_CODE_HASH = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='
const TELEGRAM_CONTENT = 'https://nft.fragment.com'

/** A domain below .ton. */
export const isDnsItem = (item: NftItemFacts | undefined): item is NftItemFacts =>
  item !== undefined && (item.codeHash === DNS_CODE_HASH || item.collection === DNS_COLLECTION)

/** A Telegram user name, number or gift: such an item is its own auction. */
export const isTelegramItem = (item: NftItemFacts | undefined): item is NftItemFacts =>
  item?.uri?.includes(TELEGRAM_CONTENT) === true

export type NftDiscoveryData = Addresses<'source' | 'item' | 'collection'> & { readonly index: bigint }

/** An item reported its static data. */
const nftDiscovery = blockKind<NftDiscoveryData>({
  name: 'nft_discovery',
  describe: ({ data: { source, item, collection, index } }) => ({
    source,
    details: {
      source: source ?? null,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
    },
  }),
})

export const matchNftDiscovery: Matcher = {
  name: 'nft_discovery',
  isAnchor: (block) => isCall(block, nftOps.getStaticData),
  around: { next: call(nftOps.reportStaticData) },
  build: ({ anchor, others }) => {
    const report = getCall(others, nftOps.reportStaticData)
    const { source, destination: item } = messageOf(anchor)
    foldBlocks(nftDiscovery, { source, item, ...readReportedStatic(report) }, [anchor, report])
  },
}

export type NftMintData = {
  readonly item: string
  /** The sender of the message that deployed it. */
  readonly source: string | undefined
  readonly collection: string | undefined
  readonly index: bigint
  /** The opcode of the message that deployed it. */
  readonly opcode: number | undefined
}

/** Mint of an item. */
export const nftMint = blockKind<NftMintData>({
  name: 'nft_mint',
  isClosed: true,
  describe: ({ data: { item, source, collection, index } }) => ({
    source,
    destination: item,
    details: {
      owner: source,
      nft_item: item,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
    },
  }),
})

export const matchNftMint: Matcher = {
  name: 'nft_mint',
  isAnchor: (block, { facts }) => {
    const deployed = [...deployedAccounts(block)]
    return deployed.length === 1 && facts.of(deployed[0]).nftItem !== undefined
  },
  around: {},
  build: ({ anchor }, { facts }) => {
    const [item] = deployedAccounts(anchor)
    const known = expectPresent(facts.of(item).nftItem, 'item')
    const { message } = anchor.node
    const data = {
      item: expectPresent(item, 'new account'),
      source: message?.source,
      collection: known.collection,
      index: known.index,
      opcode: message?.opcode,
    }
    foldBlocks(nftMint, data, [anchor])
  },
}
