import { fault, INVALID_OPCODE, STACK_UNDERFLOW } from '../faults.ts'
import type { Instruction, Vm } from '../Vm.ts'
import type { Value } from '../values.ts'
import { op, op1 } from './decode.ts'

const swap = (stack: Value[], i: number, j: number): void => {
  const a = stack.length - 1 - i
  const b = stack.length - 1 - j
  const value = stack[a]!
  stack[a] = stack[b]!
  stack[b] = value
}

const copy = (stack: Value[], i: number): void => void stack.push(stack[stack.length - 1 - i] as Value)

/** The stack, at least `index + 1` deep for each index given. */
const reach = (vm: Vm, index: number): Value[] => {
  if (vm.stack.length <= index) fault(STACK_UNDERFLOW)
  return vm.stack
}

const exchangeTop = (vm: Vm, i: number): void => swap(reach(vm, i), 0, i)

const push = (vm: Vm, i: number): void => copy(reach(vm, i), i)

const pop = (vm: Vm, i: number): void => {
  const stack = reach(vm, i)
  const at = stack.length - 1 - i
  stack[at] = stack[stack.length - 1] as Value
  stack.pop()
}

const exchangeThree = (vm: Vm, x: number, y: number, z: number): void => {
  const stack = reach(vm, Math.max(x, y, z, 2))
  swap(stack, 2, x)
  swap(stack, 1, y)
  swap(stack, 0, z)
}

/** Instructions with three operands of four bits. */
const three =
  (run: (vm: Vm, x: number, y: number, z: number) => void) =>
  (vm: Vm, word: number): void =>
    run(vm, (word >> 8) & 15, (word >> 4) & 15, word & 15)

/** Two operands of four bits at the end of 16 bits. */
const two =
  (run: (vm: Vm, x: number, y: number) => void) =>
  (vm: Vm, word: number): void =>
    run(vm, (word >> 12) & 15, (word >> 8) & 15)

const opThree = (
  name: string,
  from: number,
  to: number,
  operands: string,
  run: Parameters<typeof three>[0],
): Instruction => op(name, from, to, 24, { operands }, three(run))

const opTwo = (name: string, from: number, to: number, operands: string, run: Parameters<typeof two>[0]): Instruction =>
  op(name, from, to, 16, { operands }, two(run))

/** Reverses the order of the `count` values below the top `skip`. */
const reverse = (stack: Value[], count: number, skip: number): void => {
  let high = stack.length - 1 - skip
  let low = high - count + 1
  for (; low < high; low++, high--) {
    const value = stack[low] as Value
    stack[low] = stack[high] as Value
    stack[high] = value
  }
}

/** Swaps the top `y` values with the `x` below them. */
const swapBlocks = (stack: Value[], x: number, y: number): void => {
  reverse(stack, x + y, 0)
  reverse(stack, y, x)
  reverse(stack, x, 0)
}

/** A count from the stack; versions below 4 take at most 255. */
const popCount = (vm: Vm): number => vm.popSmall(vm.version >= 4 ? 2 ** 30 - 1 : 255)

/** What moving `count` values costs. */
const chargeMove = (vm: Vm, count: number): void => {
  if (count > 255) vm.gas.charge(count - 255)
}

const drop = (vm: Vm, count: number): void => {
  vm.need(count)
  vm.stack.length -= count
}

const roll = (vm: Vm): void => {
  vm.need(1)
  const x = popCount(vm)
  const stack = reach(vm, x)
  chargeMove(vm, x)
  stack.push(...stack.splice(stack.length - 1 - x, 1))
}

const rollBack = (vm: Vm): void => {
  vm.need(1)
  const x = popCount(vm)
  const stack = reach(vm, x)
  chargeMove(vm, x)
  const top = stack.pop() as Value
  stack.splice(stack.length - x, 0, top)
}

const keepTop = (vm: Vm): void => {
  vm.need(1)
  const x = popCount(vm)
  vm.need(x)
  const dropped = vm.stack.length - x
  if (dropped === 0) return
  chargeMove(vm, x)
  vm.stack.splice(0, dropped)
}

export const stackInstructions: readonly Instruction[] = [
  op1('NOP', 0x00, 8, () => undefined),
  op('XCHG_0I', 0x01, 0x0f, 8, { operands: 's0,s4' }, (vm, word) => exchangeTop(vm, (word >> 16) & 15)),
  opTwo('XCHG_IJ', 0x1000, 0x10ff, 's4,s4', (vm, x, y) => {
    if (x === 0 || x >= y) fault(INVALID_OPCODE)
    swap(reach(vm, y), x, y)
  }),
  op('XCHG_0I_LONG', 0x1100, 0x11ff, 16, { operands: 's0,s8' }, (vm, word) => exchangeTop(vm, (word >> 8) & 255)),
  op('XCHG_1I', 0x12, 0x1f, 8, { operands: 's1,s4' }, (vm, word) => {
    const x = (word >> 16) & 15
    swap(reach(vm, x), 1, x)
  }),
  op('PUSH', 0x20, 0x2f, 8, { operands: 's4' }, (vm, word) => push(vm, (word >> 16) & 15)),
  op('POP', 0x30, 0x3f, 8, { operands: 's4' }, (vm, word) => pop(vm, (word >> 16) & 15)),
  op(
    'XCHG3',
    0x4000,
    0x4fff,
    16,
    {
      operands: 's4,s4,s4',
    },
    (vm, word) => exchangeThree(vm, (word >> 16) & 15, (word >> 12) & 15, (word >> 8) & 15),
  ),
  opTwo('XCHG2', 0x5000, 0x50ff, 's4,s4', (vm, x, y) => {
    const stack = reach(vm, Math.max(x, y, 1))
    swap(stack, 1, x)
    swap(stack, 0, y)
  }),
  opTwo('XCPU', 0x5100, 0x51ff, 's4,s4', (vm, x, y) => {
    const stack = reach(vm, Math.max(x, y))
    swap(stack, 0, x)
    copy(stack, y)
  }),
  opTwo('PUXC', 0x5200, 0x52ff, 's4,s4-1', (vm, x, y) => {
    const stack = reach(vm, Math.max(x, y - 1))
    copy(stack, x)
    swap(stack, 0, 1)
    swap(stack, 0, y)
  }),
  opTwo('PUSH2', 0x5300, 0x53ff, 's4,s4', (vm, x, y) => {
    const stack = reach(vm, Math.max(x, y))
    copy(stack, x)
    copy(stack, y + 1)
  }),
  op('XCHG3_ALT', 0x540000, 0x540fff, 24, { operands: 's4,s4,s4' }, three(exchangeThree)),
  opThree('XC2PU', 0x541000, 0x541fff, 's4,s4,s4', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y, z, 1))
    swap(stack, 1, x)
    swap(stack, 0, y)
    copy(stack, z)
  }),
  opThree('XCPUXC', 0x542000, 0x542fff, 's4,s4,s4-1', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y, 1, z - 1))
    swap(stack, 1, x)
    copy(stack, y)
    swap(stack, 0, 1)
    swap(stack, 0, z)
  }),
  opThree('XCPU2', 0x543000, 0x543fff, 's4,s4,s4', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y, z))
    swap(stack, 0, x)
    copy(stack, y)
    copy(stack, z + 1)
  }),
  opThree('PUXC2', 0x544000, 0x544fff, 's4,s4-1,s4-1', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, 1, y - 1, z - 1))
    copy(stack, x)
    swap(stack, 2, 0)
    swap(stack, 1, y)
    swap(stack, 0, z)
  }),
  opThree('PUXCPU', 0x545000, 0x545fff, 's4,s4-1,s4-1', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y - 1, z - 1))
    copy(stack, x)
    swap(stack, 0, 1)
    swap(stack, 0, y)
    copy(stack, z)
  }),
  opThree('PU2XC', 0x546000, 0x546fff, 's4,s4-1,s4-2', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y - 1, z - 2))
    copy(stack, x)
    swap(stack, 1, 0)
    copy(stack, y)
    swap(stack, 1, 0)
    swap(stack, 0, z)
  }),
  opThree('PUSH3', 0x547000, 0x547fff, 's4,s4,s4', (vm, x, y, z) => {
    const stack = reach(vm, Math.max(x, y, z))
    copy(stack, x)
    copy(stack, y + 1)
    copy(stack, z + 2)
  }),
  opTwo('BLKSWAP', 0x5500, 0x55ff, 'u4+1,u4+1', (vm, x, y) => {
    vm.need(x + y + 2)
    swapBlocks(vm.stack, x + 1, y + 1)
  }),
  op('PUSH_LONG', 0x5600, 0x56ff, 16, { operands: 's8' }, (vm, word) => push(vm, (word >> 8) & 255)),
  op('POP_LONG', 0x5700, 0x57ff, 16, { operands: 's8' }, (vm, word) => pop(vm, (word >> 8) & 255)),
  op1('ROT', 0x58, 8, (vm) => {
    const stack = reach(vm, 2)
    swap(stack, 1, 2)
    swap(stack, 0, 1)
  }),
  op1('ROTREV', 0x59, 8, (vm) => {
    const stack = reach(vm, 2)
    swap(stack, 0, 1)
    swap(stack, 1, 2)
  }),
  op1('SWAP2', 0x5a, 8, (vm) => {
    const stack = reach(vm, 3)
    swap(stack, 1, 3)
    swap(stack, 0, 2)
  }),
  op1('DROP2', 0x5b, 8, (vm) => drop(vm, 2)),
  op1('DUP2', 0x5c, 8, (vm) => {
    const stack = reach(vm, 1)
    copy(stack, 1)
    copy(stack, 1)
  }),
  op1('OVER2', 0x5d, 8, (vm) => {
    const stack = reach(vm, 3)
    copy(stack, 3)
    copy(stack, 3)
  }),
  opTwo('REVERSE', 0x5e00, 0x5eff, 'u4+2,u4', (vm, x, y) => {
    vm.need(x + 2 + y)
    reverse(vm.stack, x + 2, y)
  }),
  op('BLKDROP', 0x5f00, 0x5f0f, 16, { operands: 'u4' }, (vm, word) => drop(vm, (word >> 8) & 15)),
  opTwo('BLKPUSH', 0x5f10, 0x5fff, 'u4,u4', (vm, x, y) => {
    const stack = reach(vm, y)
    for (let k = 0; k < x; k++) copy(stack, y)
  }),
  op1('PICK', 0x60, 8, (vm) => {
    vm.need(1)
    push(vm, popCount(vm))
  }),
  op1('ROLL', 0x61, 8, roll),
  op1('ROLLREV', 0x62, 8, rollBack),
  op1('BLKSWX', 0x63, 8, (vm) => {
    vm.need(2)
    const y = popCount(vm)
    const x = popCount(vm)
    vm.need(x + y)
    if (x === 0 || y === 0) return
    if (vm.version >= 4) chargeMove(vm, x + y)
    swapBlocks(vm.stack, x, y)
  }),
  op1('REVX', 0x64, 8, (vm) => {
    vm.need(2)
    const y = popCount(vm)
    const x = popCount(vm)
    vm.need(x + y)
    chargeMove(vm, x)
    reverse(vm.stack, x, y)
  }),
  op1('DROPX', 0x65, 8, (vm) => {
    vm.need(1)
    drop(vm, popCount(vm))
  }),
  op1('TUCK', 0x66, 8, (vm) => {
    const stack = reach(vm, 1)
    swap(stack, 0, 1)
    copy(stack, 1)
  }),
  op1('XCHGX', 0x67, 8, (vm) => {
    vm.need(1)
    exchangeTop(vm, popCount(vm))
  }),
  op1('DEPTH', 0x68, 8, (vm) => vm.push(vm.stack.length)),
  op1('CHKDEPTH', 0x69, 8, (vm) => {
    vm.need(1)
    vm.need(popCount(vm))
  }),
  op1('ONLYTOPX', 0x6a, 8, keepTop),
  op1('ONLYX', 0x6b, 8, (vm) => {
    vm.need(1)
    const x = popCount(vm)
    vm.need(x)
    vm.stack.length = x
  }),
  opTwo('BLKDROP2', 0x6c10, 0x6cff, 'u4,u4', (vm, x, y) => {
    vm.need(x + y)
    vm.stack.splice(vm.stack.length - x - y, x)
  }),
]
