import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readCommonMsgInfoRelaxed } from '../../codec/tlb/Message.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { call, foldMatch, type Matcher } from '../match/Matcher.ts'
import { formatPlainBoc } from '../rows/Action.ts'
import { type Block, blockKind, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { isCall } from './core.ts'

/** Opcodes of wallets that release their money step by step. */
const vestingOps = {
  send: 0xa7733acd,
  sendOk: 0xf7733acd,
  addWhitelist: 0x7258a69b,
  addWhitelistOk: 0xf258a69b,
} as const

const MAX_ADDRESSES = 1024

type VestingSendBody = {
  readonly queryId: bigint
  readonly message: Cell
  readonly destination: string | undefined
  readonly value: bigint
}

const readVestingSend = (block: Block): VestingSendBody => {
  const r = openBody(block)
  const queryId = r.readUint64()
  r.skipBits(8)
  const message = r.readRefCell()
  const info = readCommonMsgInfoRelaxed(openCell(message))
  if (info.kind !== 'internal') throw new MatchRefusedError('Expected an internal message.')
  const { destination, value } = info
  return {
    queryId,
    message,
    destination: destination.kind === 'std' ? formatUpperRawAddress(destination) : undefined,
    value: value.grams,
  }
}

type WhitelistBody = { readonly queryId: bigint; readonly addresses: readonly (string | undefined)[] }

/** One address here, and one in each cell of the chain behind. */
const readWhitelist = (block: Block): WhitelistBody => {
  let r = openBody(block)
  const queryId = r.readUint64()
  const addresses = [readAddress(r)]
  while (r.remainingRefs > 0) {
    if (addresses.length >= MAX_ADDRESSES)
      throw new MatchRefusedError(`The list has more than ${MAX_ADDRESSES} addresses.`)
    r = r.readRef()
    addresses.push(readAddress(r))
  }
  return { queryId, addresses }
}

export type VestingWhitelistData = WhitelistBody & {
  readonly source: string | undefined
  readonly vesting: string | undefined
}

/** A vesting wallet may send money to more accounts. */
const vestingAddWhitelist = blockKind<VestingWhitelistData>({
  name: 'vesting_add_whitelist',
  describe: ({ data: { source, vesting, queryId, addresses } }) => ({
    source,
    destination: vesting,
    details: {
      query_id: String(queryId),
      accounts_added: addresses.map((address) => address ?? null),
      source: source ?? null,
      vesting: vesting ?? null,
    },
  }),
})

export const matchVestingWhitelist: Matcher = {
  name: 'vesting_add_whitelist',
  isAnchor: (block) => isCall(block, vestingOps.addWhitelist),
  around: { next: call(vestingOps.addWhitelistOk) },
  build: (match) => {
    const { source, destination: vesting } = messageOf(match.anchor)
    foldMatch(match, vestingAddWhitelist, { ...readWhitelist(match.anchor), source, vesting })
  },
}

export type VestingSendData = VestingSendBody & {
  readonly sender: string | undefined
  readonly vesting: string | undefined
}

/** The owner of a vesting wallet had it send a message. */
const vestingSendMessage = blockKind<VestingSendData>({
  name: 'vesting_send_message',
  describe: ({ data: { sender, vesting, queryId, message, destination, value } }) => ({
    source: sender,
    destination: vesting,
    destinationSecondary: destination,
    details: {
      query_id: String(queryId),
      message_boc: formatPlainBoc(message),
      source: sender ?? null,
      vesting: vesting ?? null,
      destination: destination ?? null,
      amount: String(value),
    },
  }),
})

export const matchVestingSend: Matcher = {
  name: 'vesting_send_message',
  isAnchor: (block) => isCall(block, vestingOps.send),
  around: { next: call(vestingOps.sendOk) },
  build: (match) => {
    const { source: sender, destination: vesting } = messageOf(match.anchor)
    foldMatch(match, vestingSendMessage, { ...readVestingSend(match.anchor), sender, vesting })
  },
}
