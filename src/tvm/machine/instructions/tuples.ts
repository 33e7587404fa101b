import { fault, RANGE_CHECK, TYPE_CHECK } from '../faults.ts'
import type { Instruction, Vm } from '../Vm.ts'
import { isTuple, type Tuple, type Value } from '../values.ts'
import { op, op1 } from './decode.ts'

const MAX_TUPLE = 255

const at = (tuple: Tuple, index: number): Value => (index < tuple.length ? (tuple[index] as Value) : fault(RANGE_CHECK))

/** An item that must be a tuple itself. */
const tupleAt = (tuple: Tuple, index: number): Tuple => {
  const item = at(tuple, index)
  return isTuple(item) && item.length <= MAX_TUPLE ? item : fault(TYPE_CHECK)
}

/** With one item set; a tuple that is too short is filled up with nulls. */
export const withItem = (tuple: Tuple, index: number, value: Value): Tuple => {
  const changed = [...tuple]
  while (changed.length < index) changed.push(null)
  changed[index] = value
  return changed
}

const make = (vm: Vm, count: number): void => {
  vm.need(count)
  const tuple = vm.takeTop(count)
  vm.gas.charge(count)
  vm.push(tuple)
}

const explode = (vm: Vm, tuple: Tuple, count: number): void => {
  for (let k = 0; k < count; k++) vm.push(tuple[k] as Value)
  vm.gas.charge(count)
}

const untuple = (vm: Vm, count: number): void => explode(vm, vm.popTuple(count, count), count)
const unpackFirst = (vm: Vm, count: number): void => explode(vm, vm.popTuple(MAX_TUPLE, count), count)

const explodeAll = (vm: Vm, most: number): void => {
  const tuple = vm.popTuple(most)
  explode(vm, tuple, tuple.length)
  vm.push(tuple.length)
}

const index = (vm: Vm, k: number): void => vm.push(at(vm.popTuple(), k))
const indexQuiet = (vm: Vm, k: number): void => vm.push(vm.popMaybeTuple()?.[k] ?? null)

const setIndex = (vm: Vm, k: number): void => {
  const value = vm.pop()
  const tuple = vm.popTuple()
  if (k >= tuple.length) fault(RANGE_CHECK)
  vm.gas.charge(tuple.length)
  vm.push(withItem(tuple, k, value))
}

const setIndexQuiet = (vm: Vm, k: number): void => {
  const value = vm.pop()
  const tuple = vm.popMaybeTuple()
  if (value === null && k >= (tuple?.length ?? 0)) {
    vm.push(tuple)
    return
  }
  const changed = withItem(tuple ?? [], k, value)
  vm.gas.charge(changed.length)
  vm.push(changed)
}

const nibble = (word: number): number => (word >> 8) & 15

/** Pushes nulls below the top `depth` values behind the condition, which stays. */
const nullIf =
  (condition: boolean, depth: number, count: number) =>
  (vm: Vm): void => {
    vm.need(depth + 1)
    const x = vm.popFinite()
    if ((x !== 0) === condition) {
      const above = vm.takeTop(depth)
      for (let k = 0; k < count; k++) vm.push(null)
      for (const value of above) vm.push(value)
    }
    vm.push(x)
  }

/** The same with the number on the stack, at most `max`, below which `below` values must be. */
const variable =
  (run: (vm: Vm, count: number) => void, max: number, below: number) =>
  (vm: Vm): void => {
    vm.need(below + 1)
    run(vm, vm.popSmall(max))
  }

export const tupleInstructions: readonly Instruction[] = [
  op1('PUSHNULL', 0x6d, 8, (vm) => vm.push(null)),
  op1('ISNULL', 0x6e, 8, (vm) => vm.pushBool(vm.pop() === null)),
  op('TUPLE', 0x6f00, 0x6f0f, 16, { operands: 'u4' }, (vm, word) => make(vm, nibble(word))),
  op('INDEX', 0x6f10, 0x6f1f, 16, { operands: 'u4' }, (vm, word) => index(vm, nibble(word))),
  op('UNTUPLE', 0x6f20, 0x6f2f, 16, { operands: 'u4' }, (vm, word) => untuple(vm, nibble(word))),
  op('UNPACKFIRST', 0x6f30, 0x6f3f, 16, { operands: 'u4' }, (vm, word) => unpackFirst(vm, nibble(word))),
  op('EXPLODE', 0x6f40, 0x6f4f, 16, { operands: 'u4' }, (vm, word) => explodeAll(vm, nibble(word))),
  op('SETINDEX', 0x6f50, 0x6f5f, 16, { operands: 'u4' }, (vm, word) => {
    vm.need(2)
    setIndex(vm, nibble(word))
  }),
  op('INDEXQ', 0x6f60, 0x6f6f, 16, { operands: 'u4' }, (vm, word) => indexQuiet(vm, nibble(word))),
  op('SETINDEXQ', 0x6f70, 0x6f7f, 16, { operands: 'u4' }, (vm, word) => {
    vm.need(2)
    setIndexQuiet(vm, nibble(word))
  }),
  op1('TUPLEVAR', 0x6f80, 16, variable(make, 255, 0)),
  op1('INDEXVAR', 0x6f81, 16, variable(index, 254, 1)),
  op1('UNTUPLEVAR', 0x6f82, 16, variable(untuple, 255, 1)),
  op1('UNPACKFIRSTVAR', 0x6f83, 16, variable(unpackFirst, 255, 1)),
  op1('EXPLODEVAR', 0x6f84, 16, variable(explodeAll, 255, 1)),
  op1('SETINDEXVAR', 0x6f85, 16, variable(setIndex, 254, 2)),
  op1('INDEXVARQ', 0x6f86, 16, variable(indexQuiet, 254, 1)),
  op1('SETINDEXVARQ', 0x6f87, 16, variable(setIndexQuiet, 254, 2)),
  op1('TLEN', 0x6f88, 16, (vm) => vm.push(vm.popTuple().length)),
  op1('QTLEN', 0x6f89, 16, (vm) => {
    const value = vm.pop()
    vm.push(isTuple(value) ? value.length : -1)
  }),
  op1('ISTUPLE', 0x6f8a, 16, (vm) => vm.pushBool(isTuple(vm.pop()))),
  op1('LAST', 0x6f8b, 16, (vm) => {
    const tuple = vm.popTuple(MAX_TUPLE, 1)
    vm.push(tuple[tuple.length - 1] as Value)
  }),
  op1('TPUSH', 0x6f8c, 16, (vm) => {
    vm.need(2)
    const value = vm.pop()
    const tuple = vm.popTuple(MAX_TUPLE - 1)
    vm.gas.charge(tuple.length + 1)
    vm.push([...tuple, value])
  }),
  op1('TPOP', 0x6f8d, 16, (vm) => {
    const tuple = vm.popTuple(MAX_TUPLE, 1)
    vm.gas.charge(tuple.length - 1)
    vm.push(tuple.slice(0, -1))
    vm.push(tuple[tuple.length - 1] as Value)
  }),
  op1('NULLSWAPIF', 0x6fa0, 16, nullIf(true, 0, 1)),
  op1('NULLSWAPIFNOT', 0x6fa1, 16, nullIf(false, 0, 1)),
  op1('NULLROTRIF', 0x6fa2, 16, nullIf(true, 1, 1)),
  op1('NULLROTRIFNOT', 0x6fa3, 16, nullIf(false, 1, 1)),
  op1('NULLSWAPIF2', 0x6fa4, 16, nullIf(true, 0, 2)),
  op1('NULLSWAPIFNOT2', 0x6fa5, 16, nullIf(false, 0, 2)),
  op1('NULLROTRIF2', 0x6fa6, 16, nullIf(true, 1, 2)),
  op1('NULLROTRIFNOT2', 0x6fa7, 16, nullIf(false, 1, 2)),
  op('INDEX2', 0x6fb0, 0x6fbf, 16, { operands: 'u2,u2' }, (vm, word) =>
    vm.push(at(tupleAt(vm.popTuple(), (word >> 10) & 3), (word >> 8) & 3)),
  ),
  op('INDEX3', 0x6fc0, 0x6fff, 16, { operands: 'u2,u2,u2' }, (vm, word) => {
    const inner = tupleAt(tupleAt(vm.popTuple(), (word >> 12) & 3), (word >> 10) & 3)
    vm.push(at(inner, (word >> 8) & 3))
  }),
]
