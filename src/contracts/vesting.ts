import type { Cell, CellSlice } from '../codec/cell/Cell.ts'
import { Dict, type DictType } from '../codec/cell/Dict.ts'
import { bytesKey } from '../codec/cell/dictTypes.ts'
import type { Address } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import { findReadable, type MethodResult, ResultReader, type RunMethod } from './getMethods.ts'

const MAX_LISTED = 1 << 14

/** A wallet whose owner gets at its money bit by bit. Times and durations are in seconds. */
export type Vesting = {
  readonly startTime: number
  readonly totalDuration: number
  readonly unlockPeriod: number
  readonly cliffDuration: number
  readonly totalAmount: bigint
  readonly sender: Address
  readonly owner: Address
  /** Whom locked money may go to, by address. */
  readonly whitelist: readonly Address[]
}

export const findVesting = async (run: RunMethod, address: Address): Promise<Vesting | undefined> => {
  const result = await run(address, 'get_vesting_data', [])
  return findReadable(() => readVestingData(result))
}

const readVestingData = (result: MethodResult): Vesting => {
  const r = new ResultReader(result)
  return {
    startTime: r.readNumber(),
    totalDuration: r.readNumber(),
    unlockPeriod: r.readNumber(),
    cliffDuration: r.readNumber(),
    totalAmount: r.readInt(),
    sender: r.readAddress(),
    owner: r.readAddress(),
    whitelist: listWhitelist(r.readMaybeCell()),
  }
}

/** Keys are workchain:int8 address:bits256; what stands under them says nothing. */
const whitelistType: DictType<Uint8Array, CellSlice> = {
  key: bytesKey(33),
  value: { read: (r) => r.readRest(), write: (w, slice) => void w.writeSlice(slice) },
}

const listWhitelist = (root: Cell | undefined): Address[] =>
  new Dict(whitelistType, root)
    .entries({ maxNodes: 2 * MAX_LISTED })
    .map(([key]) => ({ workchain: (key[0]! << 24) >> 24, hash: key.slice(1) }))

/** A vesting wallet is recognized by its code: that of the main network, or that of our own networks. */
const vestingCodes: ReadonlySet<string> = new Set([
  'b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590',
  '98230a2bfbbfb79a0b02ae8e27ed5667f90790c6dd5836dcb94747485a075fa3',
])

export const isVestingCode = (codeHash: Uint8Array): boolean => vestingCodes.has(toHex(codeHash))
