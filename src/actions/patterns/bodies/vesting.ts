import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { readCommonMsgInfoRelaxed } from '../../../codec/tlb/Message.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of wallets that release their money step by step. */
export const vestingOps = {
  send: 0xa7733acd,
  sendOk: 0xf7733acd,
  addWhitelist: 0x7258a69b,
  addWhitelistOk: 0xf258a69b,
} as const

const MAX_ADDRESSES = 1024

export type VestingSendBody = {
  readonly queryId: bigint
  readonly message: Cell
  readonly destination: string | undefined
  readonly value: bigint
}

export const readVestingSend = (block: Block): VestingSendBody => {
  const r = openBody(block)
  const queryId = r.readUint64()
  r.skipBits(8)
  const message = r.readRefCell()
  const info = readCommonMsgInfoRelaxed(openCell(message))
  if (info.kind !== 'internal') throw new MatchRefusedError('A message between contracts was expected.')
  const { destination, value } = info
  return {
    queryId,
    message,
    destination: destination.kind === 'std' ? formatUpperRawAddress(destination) : undefined,
    value: value.grams,
  }
}

export type WhitelistBody = { readonly queryId: bigint; readonly addresses: readonly (string | undefined)[] }

/** One address here, and one in each cell of the chain behind. */
export const readWhitelist = (block: Block): WhitelistBody => {
  let r = openBody(block)
  const queryId = r.readUint64()
  const addresses = [readAddress(r)]
  while (r.remainingRefs > 0) {
    if (addresses.length >= MAX_ADDRESSES) throw new MatchRefusedError(`More than ${MAX_ADDRESSES} addresses came.`)
    r = r.readRef()
    addresses.push(readAddress(r))
  }
  return { queryId, addresses }
}
