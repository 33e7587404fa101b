import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { CellError } from '../../src/codec/cell/errors.ts'
import { instructions } from '../../src/tvm/machine/instructions/table.ts'

/** Random numbers that are the same for the same seed. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    let x = this.state
    x ^= x >>> 15
    x = Math.imul(x, 0x2c1b3c6d)
    x ^= x >>> 12
    return (x >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

/** Numbers at which instructions change what they do. */
const INTEGERS = [
  0n,
  1n,
  2n,
  3n,
  5n,
  7n,
  10n,
  16n,
  27n,
  28n,
  32n,
  52n,
  100n,
  255n,
  256n,
  257n,
  1023n,
  1024n,
  -1n,
  -2n,
  -256n,
  1n << 31n,
  (1n << 63n) - 1n,
  1n << 64n,
  1n << 255n,
  (1n << 256n) - 1n,
  -(1n << 256n),
  -(1n << 255n),
] as const

type Part = (w: CellWriter) => void

const pushInteger = (value: bigint): Part => {
  let length = 0
  while (BigInt.asIntN(8 * length + 19, value) !== value) length++
  return (w) =>
    void w
      .writeUint(0x82, 8)
      .writeUint(length, 5)
      .writeIntWide(value, 8 * length + 19)
}

/** Programs of random instructions over operands that are likely to fit them. */
export class ProgramMaker {
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  /** A program, one cell after another. */
  program(): Cell {
    const parts: Part[] = Array.from({ length: 1 + this.random.below(8) }, () => this.operand())
    for (let count = 1 + this.random.below(8); count > 0; count--) {
      parts.push(this.instruction())
      if (this.random.next() < 0.3) parts.push(this.operand())
    }
    let next: Cell | undefined
    while (parts.length > 0) next = this.cell(parts.splice(-(2 + this.random.below(3))), next)
    return next as Cell
  }

  private instruction(): Part {
    const { from, to, bits } = this.random.pick(instructions)
    const opcode = from + this.random.below(to - from + 1)
    return (w) => void w.writeUint(opcode, bits)
  }

  private operand(): Part {
    const { random } = this
    switch (random.below(11)) {
      case 0:
        return (w) => void w.writeUint(0x6d, 8)
      case 1:
        return (w) => void w.writeUint(0xc8, 8)
      case 2:
      case 3: {
        const opcode = 0x88 + random.below(2)
        const cell = this.data(1)
        return (w) => void w.writeUint(opcode, 8).writeRef(cell)
      }
      case 4: {
        const code = [0x72, 0x73, 0xa0].slice(0, random.below(4))
        return (w) => {
          w.writeUint(0x90 + code.length, 8)
          for (const byte of code) w.writeUint(byte, 8)
        }
      }
      case 5:
        return (w) => void w.writeUint(0x6f00, 16)
      case 6:
        return (w) => void w.writeUint(0x83ff, 16)
      default:
        return pushInteger(random.next() < 0.7 ? random.pick(INTEGERS) : BigInt(random.below(320) - 20))
    }
  }

  /** A cell of random bits, with such cells below it. */
  private data(depth: number): Cell {
    const { random } = this
    const w = new CellWriter()
    for (let bits = random.below(random.below(5) === 0 ? 1023 : 80); bits > 0; bits--) w.writeBit(random.next() < 0.5)
    if (depth > 0) for (let refs = random.below(3); refs > 0; refs--) w.writeRef(this.data(depth - 1))
    return w.toCell()
  }

  /** As many of the parts as fit, sometimes with bits behind them, and the next cell. */
  private cell(parts: readonly Part[], next: Cell | undefined): Cell {
    const { random } = this
    const w = new CellWriter()
    for (const part of parts) ifRoom(() => part(w))
    // Whole bytes: other implementations charge less than the reference for an opcode that the end of a cell cuts off.
    if (random.below(4) === 0)
      for (let bytes = random.below(24); bytes > 0; bytes--) ifRoom(() => w.writeUint(random.below(256), 8))
    if (next !== undefined) ifRoom(() => w.writeRef(next))
    return w.toCell()
  }
}

const ifRoom = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    if (!(error instanceof CellError)) throw error
  }
}
