import { createHash } from 'node:crypto'
import { Cell } from '../../../codec/cell/Cell.ts'
import { sha256 } from '../../../primitives/hash.ts'
import { putInteger } from '../bits.ts'
import { findInDictionary, newKey, type OpenNode } from '../dictionary.ts'
import {
  CELL_OVERFLOW,
  CELL_UNDERFLOW,
  DICTIONARY_ERROR,
  failOutOfGas,
  fault,
  RANGE_CHECK,
  TYPE_CHECK,
  UNKNOWN_ERROR,
} from '../faults.ts'
import { CELL_LOAD_GAS, CELL_RELOAD_GAS, UNLIMITED_GAS } from '../Gas.ts'
import { divide, fitsSigned, fitsUnsigned, pushInteger, shiftLeft, toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { type Integer, isInteger, isTuple, Slice, type Tuple, type Value } from '../values.ts'
import { loadVarInteger } from './amounts.ts'
import { hashInteger, integerBytes } from './cellReading.ts'
import { toGas } from './control.ts'
import { op, op1 } from './decode.ts'
import { readGasPrices, readMsgPrices, readStoragePrices } from './prices.ts'
import { withItem } from './tuples.ts'

// --- gas

const setGasLimit = (vm: Vm, limit: number): void => {
  if (limit < vm.gas.used) failOutOfGas()
  vm.gas.setLimit(limit)
  if (vm.env.stopOnAccept) vm.exitCode = 0
}

// --- the context tuple

const contextOf = (vm: Vm): Tuple => {
  const context = vm.c7.length === 0 ? fault(RANGE_CHECK) : vm.c7[0]
  return context !== undefined && isTuple(context) && context.length <= 255 ? context : fault(TYPE_CHECK)
}

const BALANCE = 7
const SEED = 6
const CONFIG = 9
const PREVIOUS_BLOCKS = 13
const UNPACKED_CONFIG = 14
const PRECOMPILED_GAS = 16
const MESSAGE = 17

/** One parameter of the context. What a run reads is noted, since its result depends on that. */
export const contextParam = (vm: Vm, index: number): Value => {
  const context = contextOf(vm)
  const { reads } = vm.env
  reads.context.add(index)
  if (index === CONFIG) reads.configDict = true
  return index < context.length ? (context[index] as Value) : fault(RANGE_CHECK)
}

const tupleParam = (vm: Vm, index: number): Tuple => {
  const value = contextParam(vm, index)
  return isTuple(value) && value.length <= 255 ? value : fault(TYPE_CHECK)
}

const itemOf = (tuple: Tuple, index: number): Value =>
  index < tuple.length ? (tuple[index] as Value) : fault(RANGE_CHECK)

/** An entry of the unpacked configuration: prices and limits that cost no cell loads. */
export const unpackedConfig = (vm: Vm, index: number): Slice | undefined => {
  const value = itemOf(tupleParam(vm, UNPACKED_CONFIG), index)
  return value instanceof Slice ? value : undefined
}

/** A configuration parameter by lookup. The value must be one reference. */
export const findConfigParam = (vm: Vm, index: Integer): Cell | undefined => {
  const { reads } = vm.env
  const tookAll = reads.configDict
  const root = contextParam(vm, CONFIG)
  reads.configDict = tookAll
  if (root !== null && !(root instanceof Cell)) return fault(TYPE_CHECK)
  if (!fitsSigned(index, 32)) return undefined
  reads.configParams.add(Number(index))
  const key = newKey()
  putInteger(key, 0, index, 32)
  const value = findInDictionary(root, 32, key, 0, vm.nodes.open)
  if (value === undefined) return undefined
  return value.bits === 0 && value.refs === 1 ? value.ref(0) : fault(DICTIONARY_ERROR)
}

const globalId: RunInstruction = (vm) => {
  if (vm.version >= 6) {
    const slice = unpackedConfig(vm, 1) ?? fault(TYPE_CHECK)
    vm.push(slice.bits < 32 ? fault(CELL_UNDERFLOW) : slice.int(32))
    return
  }
  const config = contextParam(vm, 19)
  if (!(config instanceof Cell)) return fault(TYPE_CHECK)
  fault(UNKNOWN_ERROR)
}

// --- globals

const getGlobal = (vm: Vm, index: number): void => {
  if (index === 0) vm.env.reads.wholeContext = true
  vm.push(vm.c7[index] ?? null)
}

const setGlobal = (vm: Vm, index: number): void => {
  const value = vm.pop()
  if (value === null && index >= vm.c7.length) return
  const changed = withItem(vm.c7, index, value)
  vm.gas.charge(changed.length)
  vm.c7 = changed
}

// --- random numbers

const seedBytes = (vm: Vm): Uint8Array => {
  const seed = contextParam(vm, SEED)
  if (!isInteger(seed)) return fault(TYPE_CHECK)
  return fitsUnsigned(seed, 256) ? integerBytes(seed, 32) : fault(RANGE_CHECK)
}

const setSeed = (vm: Vm, seed: Integer): void => {
  const context = withItem(contextOf(vm), SEED, seed)
  vm.gas.charge(context.length)
  const c7 = withItem(vm.c7, 0, context)
  vm.gas.charge(c7.length)
  vm.c7 = c7
}

const nextRandom = (vm: Vm): Integer => {
  const hash = createHash('sha512').update(seedBytes(vm)).digest()
  setSeed(vm, hashInteger(hash.subarray(0, 32)))
  return hashInteger(hash.subarray(32))
}

const setRandom =
  (mixes: boolean): RunInstruction =>
  (vm) => {
    let seed = vm.popFinite()
    if (!fitsUnsigned(seed, 256)) fault(RANGE_CHECK)
    contextOf(vm)
    if (mixes) seed = hashInteger(sha256(Buffer.concat([seedBytes(vm), integerBytes(seed, 32)])))
    setSeed(vm, seed)
  }

// --- fees

const needFee = (vm: Vm, count: number): void => {
  if (vm.version >= 9) vm.need(count)
}

/** An amount that fits 63 bits. */
const popAmount = (vm: Vm): bigint => {
  const value = vm.popInt()
  return fitsUnsigned(value, 63) ? toBig(value) : fault(RANGE_CHECK)
}

/** ceil(x / 2^16). */
const ceil16 = (x: bigint): bigint => (x + 0xffffn) >> 16n

const gasPrices = (vm: Vm, isMasterchain: boolean) =>
  readGasPrices(unpackedConfig(vm, isMasterchain ? 2 : 3) ?? fault(TYPE_CHECK))

const msgPrices = (vm: Vm, isMasterchain: boolean) =>
  readMsgPrices(unpackedConfig(vm, isMasterchain ? 4 : 5) ?? fault(TYPE_CHECK))

const gasFee: RunInstruction = (vm) => {
  needFee(vm, 2)
  const isMasterchain = vm.popBool()
  const gas = popAmount(vm)
  const { flatLimit, flatPrice, price } = gasPrices(vm, isMasterchain)
  pushInteger(vm, gas <= flatLimit ? flatPrice : flatPrice + ceil16((gas - flatLimit) * price), false)
}

const storageFee: RunInstruction = (vm) => {
  needFee(vm, 4)
  const isMasterchain = vm.popBool()
  const seconds = popAmount(vm)
  const bits = popAmount(vm)
  const cells = popAmount(vm)
  const slice = unpackedConfig(vm, 0)
  if (slice === undefined) return vm.push(0)
  const prices = readStoragePrices(slice)
  const perSecond = isMasterchain
    ? cells * prices.mcCellPrice + bits * prices.mcBitPrice
    : cells * prices.cellPrice + bits * prices.bitPrice
  pushInteger(vm, ceil16(perSecond * seconds), false)
}

const forwardFee =
  (withLump: boolean): RunInstruction =>
  (vm) => {
    needFee(vm, 3)
    const isMasterchain = vm.popBool()
    const bits = popAmount(vm)
    const cells = popAmount(vm)
    const { lumpPrice, bitPrice, cellPrice } = msgPrices(vm, isMasterchain)
    pushInteger(vm, (withLump ? lumpPrice : 0n) + ceil16(bits * bitPrice + cells * cellPrice), false)
  }

const originalForwardFee: RunInstruction = (vm) => {
  needFee(vm, 2)
  const isMasterchain = vm.popBool()
  const fee = vm.popFinite()
  if (fee < 0) fault(RANGE_CHECK)
  const { firstFraction } = msgPrices(vm, isMasterchain)
  pushInteger(vm, divide(shiftLeft(fee, 16), 0x10000 - firstFraction, 'floor').quotient, false)
}

const gasFeeSimple: RunInstruction = (vm) => {
  needFee(vm, 2)
  const isMasterchain = vm.popBool()
  const gas = popAmount(vm)
  pushInteger(vm, ceil16(gasPrices(vm, isMasterchain).price * gas), false)
}

// --- extra currencies

const CHEAP_CALLS = 5
const CHEAP_GAS = 200

/** Loads for at most 200 gas; what goes beyond is only counted. */
const openCheaply = (vm: Vm): OpenNode => {
  let left = CHEAP_GAS
  return (cell) => {
    const gas = vm.env.cells.registerFree(cell) ? CELL_LOAD_GAS : CELL_RELOAD_GAS
    const charged = Math.min(gas, left)
    vm.gas.charge(charged)
    left -= charged
    if (left === 0) vm.env.counters.freeGas += gas - charged
    return cell.isExotic ? fault(CELL_UNDERFLOW) : Slice.of(cell)
  }
}

const extraBalance: RunInstruction = (vm) => {
  const id = vm.popSmall(2 ** 32 - 1)
  const balance = tupleParam(vm, BALANCE)
  const root = itemOf(balance, 1)
  if (root !== null && !(root instanceof Cell)) return fault(TYPE_CHECK)
  const isCheap = ++vm.env.counters.extraBalances <= CHEAP_CALLS
  const key = newKey()
  putInteger(key, 0, id, 32)
  const value = findInDictionary(root, 32, key, 0, isCheap ? openCheaply(vm) : vm.nodes.open)
  vm.push(value === undefined ? 0 : (loadVarInteger(value, 5, false)?.value ?? fault(CELL_UNDERFLOW)))
}

const messageParam = (vm: Vm, index: number): void => {
  const params = contextParam(vm, MESSAGE)
  vm.push(isTuple(params) ? itemOf(params, index) : fault(TYPE_CHECK))
}

const previousBlocks =
  (index: number): RunInstruction =>
  (vm) =>
    vm.push(itemOf(tupleParam(vm, PREVIOUS_BLOCKS), index))

export const contextInstructions: readonly Instruction[] = [
  op1('ACCEPT', 0xf800, 16, (vm) => setGasLimit(vm, UNLIMITED_GAS)),
  op1('SETGASLIMIT', 0xf801, 16, (vm) => setGasLimit(vm, toGas(vm.popFinite()))),
  op1('GASCONSUMED', 0xf807, 16, { since: 4 }, (vm) => vm.push(vm.gas.used)),
  op1('COMMIT', 0xf80f, 16, (vm) => {
    if (!vm.tryCommit()) fault(CELL_OVERFLOW)
  }),
  op1('RANDU256', 0xf810, 16, (vm) => vm.push(nextRandom(vm))),
  op1('RAND', 0xf811, 16, (vm) => {
    const bound = vm.popFinite()
    pushInteger(vm, (toBig(bound) * toBig(nextRandom(vm))) >> 256n, false)
  }),
  op1('SETRAND', 0xf814, 16, setRandom(false)),
  op1('ADDRAND', 0xf815, 16, setRandom(true)),
  op('GETPARAM', 0xf820, 0xf82f, 16, { operands: 'u4' }, (vm, word) => vm.push(contextParam(vm, (word >> 8) & 15))),
  op1('CONFIGDICT', 0xf830, 16, (vm) => {
    vm.push(contextParam(vm, CONFIG))
    vm.push(32)
  }),
  op1('CONFIGPARAM', 0xf832, 16, (vm) => {
    const value = findConfigParam(vm, vm.popInt())
    if (value !== undefined) vm.push(value)
    vm.pushBool(value !== undefined)
  }),
  op1('CONFIGOPTPARAM', 0xf833, 16, (vm) => vm.push(findConfigParam(vm, vm.popInt()) ?? null)),
  op1('PREVMCBLOCKS', 0xf83400, 24, { since: 4 }, previousBlocks(0)),
  op1('PREVKEYBLOCK', 0xf83401, 24, { since: 4 }, previousBlocks(1)),
  op1('PREVMCBLOCKS_100', 0xf83402, 24, { since: 9 }, previousBlocks(2)),
  op1('GLOBALID', 0xf835, 16, { since: 4 }, globalId),
  op1('GETGASFEE', 0xf836, 16, { since: 6 }, gasFee),
  op1('GETSTORAGEFEE', 0xf837, 16, { since: 6 }, storageFee),
  op1('GETFORWARDFEE', 0xf838, 16, { since: 6 }, forwardFee(true)),
  op1('GETPRECOMPILEDGAS', 0xf839, 16, { since: 6 }, (vm) => vm.push(contextParam(vm, PRECOMPILED_GAS))),
  op1('GETORIGINALFWDFEE', 0xf83a, 16, { since: 6 }, originalForwardFee),
  op1('GETGASFEESIMPLE', 0xf83b, 16, { since: 6 }, gasFeeSimple),
  op1('GETFORWARDFEESIMPLE', 0xf83c, 16, { since: 6 }, forwardFee(false)),
  op1('GETGLOBVAR', 0xf840, 16, (vm) => getGlobal(vm, vm.popSmall(254))),
  op('GETGLOB', 0xf841, 0xf85f, 16, { operands: 'u5' }, (vm, word) => getGlobal(vm, (word >> 8) & 31)),
  op1('SETGLOBVAR', 0xf860, 16, (vm) => {
    vm.need(2)
    setGlobal(vm, vm.popSmall(254))
  }),
  op('SETGLOB', 0xf861, 0xf87f, 16, { operands: 'u5' }, (vm, word) => setGlobal(vm, (word >> 8) & 31)),
  op1('GETEXTRABALANCE', 0xf880, 16, { since: 10 }, extraBalance),
  op(
    'GETPARAMLONG',
    0xf88100,
    0xf881fe,
    24,
    {
      since: 11,
      operands: 'u8',
    },
    (vm, word) => vm.push(contextParam(vm, word & 255)),
  ),
  op('INMSGPARAM', 0xf890, 0xf89f, 16, { since: 11, operands: 'u4' }, (vm, word) => messageParam(vm, (word >> 8) & 15)),
]
