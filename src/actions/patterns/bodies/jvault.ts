import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { CellWriter } from '../../../codec/cell/CellWriter.ts'
import { type DictType, readDict } from '../../../codec/cell/Dict.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readGivenAddress } from './body.ts'

/** Opcodes of pools that stake jettons, and of the wallets that keep the stakes. */
export const jvaultOps = {
  receive: 0xd68a4ac1,
  unstake: 0x499a9262,
  unstakeRequest: 0x0168d4b7,
  claim: 0x78d9f109,
  sendClaimed: 0x44bc1fe3,
  requestUpdate: 0xf5c5baa3,
  update: 0xae9307ce,
  requestReferrer: 0x55c35b40,
  updateReferrer: 0x076ee4e0,
  setData: 0x383411ea,
  cancel: 0x9eada1d9,
} as const

/** For how many seconds jettons are locked, as the payload that came with them says. */
export const readPeriod = (payload: Cell): number => {
  const r = openCell(payload)
  r.skipBits(32)
  return r.readUint(32)
}

/** How much is to be taken back; both requests for it begin alike. */
export const readUnstaked = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

const ADDRESS_BITS = 267

const addressSet: DictType<Uint8Array, true> = {
  key: { bits: ADDRESS_BITS, encode: (bits) => bits, decode: (bits) => bits.slice() },
  value: { read: (r) => r.readRest() && true, write: () => undefined },
}

/** The wallets of the pool whose jettons are claimed. */
export const readClaimed = (block: Block): string[] => {
  const r = openBody(block)
  r.skipBits(64)
  return readDict(r, addressSet)
    .entries()
    .map(([bits]) => readGivenAddress(openCell(new CellWriter().writeBits(bits, ADDRESS_BITS).toCell())))
}

export type StakeWalletState = { readonly pool: string; readonly minter: string }

export const readStakeWallet = (data: Cell): StakeWalletState => {
  const r = openCell(data)
  return { pool: readGivenAddress(r), minter: readGivenAddress(r) }
}

/** The wallet in which a pool keeps what was staked. */
export const readLockWallet = (data: Cell): string => {
  const r = openCell(data)
  r.skipBits(33)
  readGivenAddress(r)
  readGivenAddress(r)
  return readGivenAddress(r)
}
