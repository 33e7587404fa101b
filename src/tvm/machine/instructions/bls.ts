import { bytesToBigint } from '../../../primitives/bytes.ts'
import {
  aggregateBls,
  BLS_ORDER,
  type BlsGroup,
  checkPairings,
  G1,
  G1_BYTES,
  G2,
  G2_BYTES,
  verifyBls,
  verifyBlsTogether,
} from '../curves.ts'
import { fault, UNKNOWN_ERROR } from '../faults.ts'
import { toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, Slice } from '../values.ts'
import { firstBytes, wholeBytes } from './crypto.ts'
import { op1 } from './decode.ts'

const pushBytes = (vm: Vm, bytes: Uint8Array | undefined): void =>
  vm.push(Slice.of(Builder.empty.withBytes(bytes ?? fault(UNKNOWN_ERROR)).toCell()))

/** The number of terms, each of `perTerm` values, that stand below it. */
const popTerms = (vm: Vm, perTerm: number, min = 0): number =>
  vm.popSmall(Math.floor((vm.stack.length - 1) / perTerm), min)

const repeatPop = <T>(count: number, pop: () => T): T[] => Array.from({ length: count }, pop).reverse()

const multiexpGas = (n: number, base: number, each: number, shared: number): number => {
  let log = 4
  while (2 ** (log + 1) <= n) log++
  return base + n * each + Math.floor((n * shared) / log)
}

type GroupGas = {
  readonly add: number
  readonly negate: number
  readonly multiply: number
  readonly map: number
  readonly contains: number
  readonly multiexp: readonly [base: number, each: number, shared: number]
}

const groupInstructions = (name: string, opcode: number, group: BlsGroup, gas: GroupGas): Instruction[] => {
  const popPoint = (vm: Vm): Uint8Array => firstBytes(vm.popSlice(), group.bytes)
  const since = { since: 4 }
  const combine =
    (run: BlsGroup['add']): RunInstruction =>
    (vm) => {
      vm.need(2)
      vm.gas.charge(gas.add)
      const b = popPoint(vm)
      const a = popPoint(vm)
      pushBytes(vm, run(a, b))
    }
  return [
    op1(`BLS_${name}_ADD`, opcode, 24, since, combine(group.add)),
    op1(`BLS_${name}_SUB`, opcode + 1, 24, since, combine(group.subtract)),
    op1(`BLS_${name}_NEG`, opcode + 2, 24, since, (vm) => {
      vm.gas.charge(gas.negate)
      pushBytes(vm, group.negate(popPoint(vm)))
    }),
    op1(`BLS_${name}_MUL`, opcode + 3, 24, since, (vm) => {
      vm.need(2)
      vm.gas.charge(gas.multiply)
      const scalar = toBig(vm.popFinite())
      pushBytes(vm, group.multiply(popPoint(vm), scalar))
    }),
    op1(`BLS_${name}_MULTIEXP`, opcode + 4, 24, since, (vm) => {
      const count = popTerms(vm, 2)
      vm.gas.charge(multiexpGas(count, ...gas.multiexp))
      const terms = repeatPop(count, (): readonly [Uint8Array, bigint] => {
        const scalar = toBig(vm.popFinite())
        return [popPoint(vm), scalar]
      })
      pushBytes(vm, count === 1 ? group.multiply(...terms[0]!) : group.multiplySum(terms))
    }),
    op1(`BLS_${name}_ZERO`, opcode + 5, 24, since, (vm) => pushBytes(vm, group.zero())),
    op1(`BLS_MAP_TO_${name}`, opcode + 6, 24, since, (vm) => {
      vm.gas.charge(gas.map)
      pushBytes(vm, group.map(popPoint(vm)))
    }),
    op1(`BLS_${name}_INGROUP`, opcode + 7, 24, since, (vm) => {
      vm.gas.charge(gas.contains)
      vm.pushBool(group.contains(popPoint(vm)))
    }),
    op1(`BLS_${name}_ISZERO`, opcode + 8, 24, since, (vm) =>
      vm.pushBool(bytesToBigint(popPoint(vm)) === bytesToBigint(group.zero())),
    ),
  ]
}

export const blsInstructions: readonly Instruction[] = [
  op1('BLS_VERIFY', 0xf93000, 24, { since: 4 }, (vm) => {
    vm.need(3)
    vm.gas.charge(61000)
    const signature = firstBytes(vm.popSlice(), G2_BYTES)
    const message = wholeBytes(vm.popSlice())
    const key = firstBytes(vm.popSlice(), G1_BYTES)
    vm.pushBool(verifyBls([[key, message]], signature))
  }),
  op1('BLS_AGGREGATE', 0xf93001, 24, { since: 4 }, (vm) => {
    const count = popTerms(vm, 1, 1)
    vm.gas.charge(-2650 + 4350 * count)
    pushBytes(vm, aggregateBls(repeatPop(count, () => firstBytes(vm.popSlice(), G2_BYTES))))
  }),
  op1('BLS_FASTAGGREGATEVERIFY', 0xf93002, 24, { since: 4 }, (vm) => {
    vm.need(3)
    const signature = vm.popSlice()
    const message = vm.popSlice()
    const count = popTerms(vm, 1)
    vm.gas.charge(58000 + 3000 * count)
    const keys = repeatPop(count, () => firstBytes(vm.popSlice(), G1_BYTES))
    vm.pushBool(verifyBlsTogether(keys, wholeBytes(message), firstBytes(signature, G2_BYTES)))
  }),
  op1('BLS_AGGREGATEVERIFY', 0xf93003, 24, { since: 4 }, (vm) => {
    vm.need(2)
    const signature = vm.popSlice()
    const count = popTerms(vm, 2)
    vm.gas.charge(38500 + 22500 * count)
    const pairs = repeatPop(count, (): readonly [Uint8Array, Uint8Array] => {
      const message = wholeBytes(vm.popSlice())
      return [firstBytes(vm.popSlice(), G1_BYTES), message]
    })
    vm.pushBool(verifyBls(pairs, firstBytes(signature, G2_BYTES)))
  }),
  ...groupInstructions('G1', 0xf93010, G1, {
    add: 3900,
    negate: 750,
    multiply: 5200,
    map: 2350,
    contains: 2950,
    multiexp: [11375, 630, 8820],
  }),
  ...groupInstructions('G2', 0xf93020, G2, {
    add: 6100,
    negate: 1550,
    multiply: 10550,
    map: 7950,
    contains: 4250,
    multiexp: [30388, 1280, 22840],
  }),
  op1('BLS_PAIRING', 0xf93030, 24, { since: 4 }, (vm) => {
    const count = popTerms(vm, 2)
    vm.gas.charge(20000 + 11800 * count)
    const pairs = repeatPop(count, (): readonly [Uint8Array, Uint8Array] => {
      const second = firstBytes(vm.popSlice(), G2_BYTES)
      return [firstBytes(vm.popSlice(), G1_BYTES), second]
    })
    vm.pushBool(checkPairings(pairs) ?? fault(UNKNOWN_ERROR))
  }),
  op1('BLS_PUSHR', 0xf93031, 24, { since: 4 }, (vm) => vm.push(BLS_ORDER)),
]
