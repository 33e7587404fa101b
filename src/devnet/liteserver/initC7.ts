import type { MethodCall, PreviousBlocks } from '../../chain/ports.ts'
import { type Cell, type CellSlice, wholeSlice } from '../../codec/cell/Cell.ts'
import type { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict, type DictType, findEntry } from '../../codec/cell/Dict.ts'
import { uintKey } from '../../codec/cell/dictTypes.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { type ConfigDict, configDictType, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { ADDR_NONE, type MsgAddress, type MsgAddressInt, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { writeVmStackValue } from '../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesToBigint } from '../../primitives/bytes.ts'

/** A run as the register c7 tells code of it. */
export type DescribedRun = {
  readonly call: MethodCall
  /** As the account spells it. */
  readonly address: MsgAddressInt
  /** Logical time of the state. */
  readonly lt: bigint
  readonly duePayment: bigint
}

const MAGIC = 0x076ef1ean

/** The start of c7, which is the same for every global version. */
export const encodeShortC7 = (run: DescribedRun): Uint8Array => encodeC7([...describeRun(run), NULL])

/** All of c7, as the global version in force has it. */
export const encodeFullC7 = (run: DescribedRun): Uint8Array => {
  const { contract, context } = run.call
  const config = new Dict(configDictType, context.config)
  const version = findConfigParam(config, 8)?.version ?? 0
  const entries = [...describeRun(run), cell(context.config)]
  if (version >= 4) entries.push(cell(contract.code), amount(0n, undefined), int(0n))
  if (version >= 4) entries.push(describeBlocks(context.previousBlocks, version))
  if (version >= 6) entries.push(unpackConfig(config, context.now), int(run.duePayment))
  if (version >= 6) entries.push(findPrecompiledGas(config, contract.code))
  if (version >= 11) entries.push(NO_MESSAGE)
  return encodeC7(entries)
}

const NULL: VmValue = { kind: 'null' }
const int = (value: bigint): VmValue => ({ kind: 'int', value })
const cell = (value: Cell | undefined): VmValue => (value === undefined ? NULL : { kind: 'cell', cell: value })
const slice = (value: CellSlice): VmValue => ({ kind: 'slice', slice: value })
const tuple = (...items: VmValue[]): VmValue => ({ kind: 'tuple', items })
const amount = (grams: bigint, extra: Cell | undefined): VmValue => tuple(int(grams), cell(extra))
const addressSlice = (value: MsgAddress): VmValue => slice(wholeSlice(writeWhole(writeMsgAddress, value)))

const encodeC7 = (entries: readonly VmValue[]): Uint8Array =>
  encodeBoc([writeWhole((w: CellWriter, value: VmValue) => writeVmStackValue(w, value), tuple(tuple(...entries)))])

/** magic, actions, msgs_sent, unixtime, block_lt, trans_lt, rand_seed, balance_remaining, myself */
const describeRun = ({ call: { contract, context }, address, lt }: DescribedRun): VmValue[] => [
  int(MAGIC),
  int(0n),
  int(0n),
  int(BigInt(context.now)),
  int(lt),
  int(lt),
  int(bytesToBigint(context.randomSeed)),
  describeBalance(contract.balance),
  addressSlice(address),
]

const describeBalance = ({ grams, extra }: CurrencyCollection): VmValue => amount(grams, extra.root as Cell | undefined)

const describeBlocks = (blocks: PreviousBlocks | undefined, version: number): VmValue => {
  if (blocks === undefined) return NULL
  const { last, keyBlock, lastHundreds } = blocks
  const parts = [tuple(...last.map(describeBlock)), describeBlock(keyBlock)]
  return version >= 9 ? tuple(...parts, tuple(...lastHundreds.map(describeBlock))) : tuple(...parts)
}

const describeBlock = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): VmValue =>
  tuple(...[BigInt(workchain), shard, BigInt(seqno), bytesToBigint(rootHash), bytesToBigint(fileHash)].map(int))

const STORAGE_PRICES = 18
/** Global id, prices of gas and of forwarding in the masterchain and elsewhere, limits of sizes. */
const UNPACKED_PARAMS = [19, 20, 21, 24, 25, 43] as const

const unpackConfig = (config: ConfigDict, now: number): VmValue =>
  tuple(findStoragePrices(config, now), ...UNPACKED_PARAMS.map((id) => describeParam(config.find(id))))

const describeParam = (param: Cell | undefined): VmValue => (param === undefined ? NULL : slice(wholeSlice(param)))

const storagePricesType: DictType<number, CellSlice> = {
  key: uintKey(32),
  value: { read: (r) => r.readRest(), write: (w, value) => void w.writeSlice(value) },
}

/** Those that are in force: the last that began. */
const findStoragePrices = (config: ConfigDict, now: number): VmValue => {
  const list = new Dict(storagePricesType, config.find(STORAGE_PRICES))
  const current = findEntry(list, { reverse: true, after: now + 1 })
  return current === undefined ? NULL : slice(current[1])
}

const findPrecompiledGas = (config: ConfigDict, code: Cell): VmValue => {
  const gas = findConfigParam(config, 45)?.find(code.hash())
  return gas === undefined ? NULL : int(gas)
}

/** What code sees of its message where there is none: bounce, bounced, source, fee, times, values, StateInit. */
const NO_MESSAGE = tuple(
  int(0n),
  int(0n),
  addressSlice(ADDR_NONE),
  int(0n),
  int(0n),
  int(0n),
  int(0n),
  int(0n),
  NULL,
  NULL,
)
