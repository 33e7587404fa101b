import type { CellSlice } from '../codec/cell/Cell.ts'
import { openSlice } from '../codec/cell/CellReader.ts'
import { type Address, addressesEqual, parseAddress } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import {
  findReadable,
  intArgument,
  type MethodResult,
  ResultReader,
  type RunMethod,
  UnexpectedResultError,
} from './getMethods.ts'

const poolCodes: ReadonlySet<string> = new Set([
  '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
  '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
  'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
])

/** Knows where every pool is. */
export const dedustFactory: Address = parseAddress('0:5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800')

export const isDedustPoolCode = (codeHash: Uint8Array): boolean => poolCodes.has(toHex(codeHash))

/** A pool of DeDust where two assets are exchanged, for which the factory vouches. */
export type DedustPool = {
  readonly isStable: boolean
  /** The coin of the network where there is none. */
  readonly assets: readonly [Address | undefined, Address | undefined]
  readonly reserves: readonly [bigint, bigint]
  /** A share of what is exchanged. */
  readonly fee: number
}

const NATIVE = 0
const JETTON = 1

export const findDedustPool = async (run: RunMethod, address: Address): Promise<DedustPool | undefined> => {
  const slices = readResult(await run(address, 'get_assets', []), readPair)
  const assets = slices && findReadable(() => [readAsset(slices[0]), readAsset(slices[1])] as const)
  if (slices === undefined || assets === undefined) return undefined
  const isStable = readResult(await run(address, 'is_stable', []), (r) => r.readBool())
  const reserves = readResult(await run(address, 'get_reserves', []), (r) => [r.readUint(), r.readUint()] as const)
  const fee = readResult(await run(address, 'get_trade_fee', []), readFee)
  if (isStable === undefined || reserves === undefined || fee === undefined) return undefined
  const args = [
    intArgument(isStable ? 1n : 0n),
    { kind: 'slice', slice: slices[0] },
    { kind: 'slice', slice: slices[1] },
  ] as const
  const named = readResult(await run(dedustFactory, 'get_pool_address', args), (r) => r.readAddress())
  return named !== undefined && addressesEqual(named, address) ? { isStable, assets, reserves, fee } : undefined
}

const readResult = <T>(result: MethodResult, read: (r: ResultReader) => T): T | undefined =>
  findReadable(() => read(new ResultReader(result)))

const readPair = (r: ResultReader): readonly [CellSlice, CellSlice] => [r.readSlice(), r.readSlice()]

/** native$0000 = Asset; jetton$0001 workchain_id:int8 address:uint256 = Asset; */
const readAsset = (slice: CellSlice): Address | undefined => {
  const r = openSlice(slice)
  const kind = r.readUint(4)
  if (kind === NATIVE) return undefined
  if (kind !== JETTON) throw new UnexpectedResultError(`An asset is of kind 0 or 1, this is of ${kind}.`)
  return { workchain: r.readInt(8), hash: r.readBytes(32).slice() }
}

const readFee = (r: ResultReader): number => {
  const numerator = r.readNumber()
  const denominator = r.readNumber()
  return numerator === 0 || denominator === 0 ? 0 : numerator / denominator
}
