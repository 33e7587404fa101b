import { Cell } from '../../src/codec/cell/Cell.ts'
import { CellAccess } from '../../src/tvm/machine/CellAccess.ts'
import { OutOfGas, VmFault } from '../../src/tvm/machine/faults.ts'
import { decoderFor, instructions, NEWEST_VERSION } from '../../src/tvm/machine/instructions/table.ts'
import { describeInstruction } from '../../src/tvm/machine/instructionText.ts'
import { type Instruction, type RunEnvironment, Vm } from '../../src/tvm/machine/Vm.ts'
import { Reads } from '../../src/tvm/machine/VmStart.ts'
import {
  Builder,
  Continuation,
  type Integer,
  isTuple,
  MAX_BUILDER_BITS,
  Slice,
  type Tuple,
  type Value,
} from '../../src/tvm/machine/values.ts'
import { codeDictionary } from './vmDictionaries.ts'
import { bitsOf, codeOf, merkleProof, specialOperands, ValueMaker } from './vmOperands.ts'
import type { Random } from './vmPrograms.ts'

/** A program over an instruction, with the stack to begin with. */
export type FocusedProgram = {
  readonly code: Cell
  readonly stack: Value[]
  readonly version: number
  /** Whether it looks at the context of a run (c7). */
  readonly readsContext: boolean
}

/** Instructions whose cost is in their curves: they come up less often. */
const isSlow = (name: string): boolean => /^(BLS_|RIST255_|ECRECOVER|SECP|P256)/.test(name)

/**
 * A machine that makes up whatever an instruction takes from the stack, and writes it down. So the operands fit the instruction, and no
 * table has to say what they are.
 */
class ProbeVm extends Vm {
  /** Top first. */
  readonly taken: Value[] = []
  private readonly maker: ValueMaker
  private readonly name: string
  /** The number taken last: the key length of a dictionary, when that comes next. */
  private last = 0
  private readonly keys: string[] = []

  constructor(env: RunEnvironment, code: Slice, maker: ValueMaker, name: string) {
    super(env, {
      code,
      stack: Array.from({ length: 10 }, () => null),
      gas: { limit: 1_000_000, max: 1_000_000, credit: 0 },
      data: undefined,
      c7: [],
      sameC3: true,
      pushZero: false,
    })
    this.maker = maker
    this.name = name
  }

  private take<T extends Value>(value: T): T {
    this.taken.push(value)
    return value
  }

  private get isDict(): boolean {
    return this.name.includes('DICT')
  }

  override need(): void {}

  override pop(): Value {
    const { maker, name } = this
    if (/TUPLE|INDEX|TLEN|TPOP|LAST|EXPLODE|UNPACK/.test(name) && maker.chance(0.8)) return this.take(maker.tuple())
    return this.take(maker.any())
  }

  override popInt(): Integer {
    const key = this.keys.length === 0 ? undefined : this.maker.random.pick(this.keys)
    if (this.isDict && key !== undefined && key.length <= 256 && this.maker.chance(0.8)) {
      const value = key === '' ? 0n : BigInt(`0b${key}`)
      const signed = /DICTI|SUBDICTI/.test(this.name) ? BigInt.asIntN(key.length, value) : value
      return this.take(Number.isSafeInteger(Number(signed)) ? Number(signed) : signed)
    }
    return this.take(this.maker.integer())
  }

  override popFinite(): Integer {
    const value = this.popInt()
    return typeof value === 'number' && Number.isNaN(value) ? 0 : value
  }

  override popBool(): boolean {
    return this.take(this.maker.chance(0.5) ? -1 : this.maker.integer()) !== 0
  }

  override popSmall(max: number, min = 0): number {
    const { maker } = this
    const isKeyLength = this.isDict && this.taken.length === 0
    const made = isKeyLength
      ? Math.min(max, maker.random.pick([1, 2, 4, 8, 8, 16, 32, 64, 256, 257, 267, 0, 1023]))
      : maker.small(max, min)
    this.take(made)
    this.last = Math.max(min, Math.min(max, made))
    return this.last
  }

  override popLong(): number {
    return Math.max(0, Number(this.take(this.maker.small(2 ** 40))))
  }

  override popCell(): Cell {
    const { name, maker } = this
    if (name.startsWith('SEND')) return this.take(maker.chance(0.9) ? makeMessage(maker) : maker.cell())
    if (/^C(LEVEL|HASHI|DEPTHI)/.test(name) && maker.chance(0.3)) return this.take(merkleProof)
    return this.take(maker.cell())
  }

  override popMaybeCell(): Cell | null {
    const { maker, name } = this
    if (maker.chance(0.1)) return this.take(null)
    if (!this.isDict || maker.chance(0.03)) return this.take(maker.cell())
    if (name.startsWith('PFX')) return this.take(maker.prefixDictionary(this.last, this.keys))
    const values = name.includes('REF') ? 'ref' : /JMP|EXEC/.test(name) ? 'code' : 'bits'
    return this.take(maker.dictionary(this.last, maker.chance(0.9) ? values : 'bits', this.keys))
  }

  override popSlice(): Slice {
    const { maker, name } = this
    if (this.isDict && this.keys.length > 0 && maker.chance(0.85)) {
      const known = maker.random.pick(this.keys)
      const more = maker.chance(0.5) ? maker.bitText(maker.random.below(20)) : ''
      return this.take(Slice.of(bitsOf((known + more).slice(0, MAX_BUILDER_BITS)).toCell()))
    }
    if (this.isDict && maker.chance(0.5)) return this.take(dictionarySlice(maker))
    if (/ADDR/.test(name)) return this.take(maker.address())
    if (/GRAMS|VAR(U?INT)/.test(name)) return this.take(maker.amounts())
    if (/RUNVM|BLESS/.test(name))
      return this.take(
        Slice.of(
          codeOf(maker.random.pick(['', '71', '7172', 'f230', 'f80f', 'a4', '70ed44ed45', 'ed44ed45', 'f80672'])),
        ),
      )
    return this.take(maker.slice())
  }

  override popBuilder(): Builder {
    return this.take(this.maker.builder())
  }

  override popContinuation(): Continuation {
    return this.take(this.maker.continuation())
  }

  override popTuple(max = 255, min = 0): Tuple {
    return this.take(this.maker.tuple(max, min))
  }

  override popMaybeTuple(): Tuple | null {
    return this.take(this.maker.chance(0.2) ? null : this.maker.tuple())
  }

  override takeTop(count: number): Value[] {
    const values = Array.from({ length: Math.min(count, 255) }, () => this.maker.any())
    this.taken.push(...values.toReversed())
    return values
  }
}

/** A slice that begins with a maybe dictionary. */
const dictionarySlice = (maker: ValueMaker): Slice => {
  const isThere = maker.chance(0.6)
  const start = Builder.empty.withInteger(isThere ? 1 : 0, 1).withBuilder(maker.bits(maker.random.below(30)))
  return Slice.of((isThere ? start.withRef(maker.cell(2)) : start).toCell())
}

/** A message as contracts write it. */
const makeMessage = (maker: ValueMaker): Cell => {
  const { random } = maker
  const coins = (b: Builder): Builder => {
    const length = random.below(9)
    return b.withInteger(length, 4).withBuilder(maker.bits(8 * length))
  }
  const std = (b: Builder): Builder =>
    b
      .withInteger(4, 3)
      .withInteger(random.pick([0, 0, 255]), 8)
      .withBuilder(maker.bits(256))
  let b: Builder
  if (maker.chance(0.8)) {
    b = Builder.empty.withInteger(0, 1).withInteger(random.below(8), 3)
    b = std(maker.chance(0.7) ? b.withInteger(0, 2) : std(b))
    b = coins(b)
    b = maker.chance(0.8) ? b.withInteger(0, 1) : b.withInteger(1, 1).withRef(maker.dictionary(32, 'bits') as Cell)
    b = coins(coins(b))
  } else b = Builder.empty.withInteger(3, 2).withInteger(0, 2).withInteger(0, 2)
  b = b.withInteger(0, 32).withInteger(0, 32).withInteger(0, 32)
  if (maker.chance(0.25)) {
    const init = Builder.empty.withInteger(0, 2).withInteger(6, 3).withRef(maker.cell(2)).withRef(maker.cell(2))
    b = maker.chance(0.5) ? b.withInteger(3, 2).withRef(init.toCell()) : b.withInteger(2, 2).withBuilder(init)
  } else b = b.withInteger(0, 1)
  if (maker.chance(0.4) && b.hasRoom(1, 1)) return b.withInteger(1, 1).withRef(maker.cell()).toCell()
  const body = maker.bits(random.below(200))
  b = b.withInteger(0, 1)
  return (b.hasRoom(body.bits) ? b.withBuilder(body) : b).toCell()
}

/** Programs over each instruction of the table in turn, with operands that fit it. */
export class FocusedMaker {
  private readonly random: Random
  private readonly maker: ValueMaker
  private readonly newest: number
  private next: number

  constructor(random: Random, newest = NEWEST_VERSION) {
    this.random = random
    this.maker = new ValueMaker(random)
    this.newest = newest
    this.next = random.below(instructions.length)
  }

  program(): FocusedProgram {
    const { random, maker } = this
    const first = this.pickInstruction()
    const version = this.pickVersion(first)
    const parts: Builder[] = []
    const start = this.prepare(first, version)
    const stack = [...this.below(), ...start.operands]
    for (const [k, value] of stack.entries()) {
      if (!(value instanceof Continuation)) continue
      parts.push(pushContinuation(maker, value), popTo(stack.length - k))
      stack[k] = null
    }
    parts.push(...start.parts)
    let { readsContext } = start
    for (let more = maker.chance(0.35) ? 1 + random.below(3) : 0; more > 0; more--) {
      const instruction = this.pickInstruction()
      if (instruction.since > version && maker.chance(0.9)) continue
      const prepared = this.prepare(instruction, version)
      parts.push(...prepared.operands.flatMap((value) => pushValue(maker, value)), ...prepared.parts)
      readsContext ||= prepared.readsContext
    }
    if (maker.chance(0.3))
      parts.push(codeBits(random.pick(['ed44ed45', 'f807', '68', 'f80f', '6d', 'db30', 'ed40ed41'])))
    if (maker.chance(0.01)) parts.push(maker.bits(random.below(16)))
    return { code: packCode(maker, parts), stack, version, readsContext }
  }

  /** Each in turn, the slow ones seldom. */
  private pickInstruction(): Instruction {
    for (;;) {
      const instruction = instructions[this.next++ % instructions.length]!
      if (!isSlow(instruction.name) || this.maker.chance(0.04)) return instruction
    }
  }

  private pickVersion({ since }: Instruction): number {
    const { random, maker, newest } = this
    if (maker.chance(0.03)) return random.below(newest + 1)
    if (maker.chance(0.3)) return newest
    return Math.min(newest, since + random.below(Math.max(1, newest - since + 1)))
  }

  /** Values below the operands. */
  private below(): Value[] {
    const { random, maker } = this
    const kind = random.next()
    const depth = kind < 0.45 ? 0 : kind < 0.92 ? random.below(6) : kind < 0.99 ? random.below(24) : random.below(270)
    return Array.from({ length: depth }, () => (depth > 8 ? random.below(100) : maker.any()))
  }

  private prepare(
    instruction: Instruction,
    version: number,
  ): { operands: Value[]; parts: Builder[]; readsContext: boolean } {
    const { maker, random } = this
    const { from, to, name } = instruction
    const kind = random.next()
    const opcode = kind < 0.1 ? from : kind < 0.2 ? to : from + random.below(to - from + 1)
    const parts = this.encode(instruction, opcode)
    const special = specialOperands(maker, name)
    const needsId = name.startsWith('HASHEXT') && (opcode & 0xff) === 255
    let operands =
      special === undefined
        ? []
        : needsId
          ? [...special, maker.chance(0.9) ? random.below(5) : maker.small(254)]
          : special
    let readsContext = false
    if (special === undefined) {
      const reads = new Reads()
      operands = probe(instruction, opcode, Slice.of(parts.toCell()), version, maker, reads)
      readsContext =
        reads.context.size > 0 ||
        reads.wholeContext ||
        /PARAM|CONFIG|FEE|PREV|GLOBALID|RAND|SENDMSG|BALANCE|GLOB/.test(name)
    }
    if (operands.length > 0 && maker.chance(0.12)) operands[random.below(operands.length)] = maker.any()
    if (maker.chance(0.02)) operands.shift()
    return { operands, parts: [parts], readsContext }
  }

  /** The instruction with inline data that fits it. */
  private encode(instruction: Instruction, opcode: number): Builder {
    const { maker, random } = this
    const { bits: length, name, operands } = instruction
    const start = Builder.empty.withInteger(opcode, length)
    const word = length >= 24 ? opcode : opcode * 2 ** (24 - length)
    const { bits, refs } = describeInstruction(
      instruction,
      word,
      Slice.of(start.withSame(0, MAX_BUILDER_BITS - length).toCell()),
    )
    let code = start
    let inline = Math.max(0, Math.min(bits - length, MAX_BUILDER_BITS - length))
    if (operands.startsWith('cont')) {
      const body = codeBits(random.pick(['', '71', 'a4', '00', '7172a0', 'f230', '30']))
      if (body.bits <= inline) {
        code = code.withBuilder(body)
        inline -= body.bits
      }
      code = code.withSame(0, inline)
    } else code = code.withBuilder(maker.bits(inline))
    for (let k = 0; k < refs; k++) {
      const isDict = name.includes('DICT')
      const isCode = /CONT|CALL|JMP|IF/.test(name)
      const cell = isDict
        ? name.startsWith('PFX')
          ? maker.prefixDictionary(opcode & 1023)
          : codeDictionary(maker, Math.min(opcode & 1023, 500))
        : isCode && maker.chance(0.9)
          ? codeOf(random.pick(['', '71', 'a4', 'f230', 'db31']))
          : maker.cell(1)
      code = code.withRef(cell ?? codeOf(''))
    }
    return code
  }
}

/** What an instruction takes from the stack, bottom first. */
const probe = (
  instruction: Instruction,
  opcode: number,
  code: Slice,
  version: number,
  maker: ValueMaker,
  reads: Reads,
): Value[] => {
  const env: RunEnvironment = {
    version,
    decoder: decoderFor(version),
    cells: new CellAccess({ version, libraries: [], maxLibraryLoads: undefined }),
    reads,
    maxDataDepth: 512,
    ignoreSignatures: false,
    stopOnAccept: false,
    allowsSlow: true,
    counters: { signatureChecks: 0, extraBalances: 0, freeGas: 0 },
    observer: undefined,
  }
  const vm = new ProbeVm(env, code.skip(instruction.bits), maker, instruction.name)
  const { bits } = instruction
  try {
    instruction.run(vm, bits >= 24 ? opcode : opcode * 2 ** (24 - bits))
  } catch (error) {
    // What it has taken before it failed is enough.
    const isExpected = [VmFault, OutOfGas, TypeError, RangeError].some((kind) => error instanceof kind)
    if (!isExpected) throw error
  }
  return vm.taken.slice(0, 260).reverse()
}

const codeBits = (hex: string): Builder => Builder.empty.withBytes(Buffer.from(hex, 'hex'))

/** XCHG and DROP: puts the top into s(i − 1) of what is below it. */
const popTo = (index: number): Builder =>
  index < 16
    ? Builder.empty.withInteger(0x30 + index, 8)
    : Builder.empty.withInteger(0x57, 8).withInteger(Math.min(index, 255), 8)

const pushContinuation = (maker: ValueMaker, { code }: Continuation): Builder => {
  const body = code ?? Slice.of(codeOf(''))
  const push = Builder.empty
    .withInteger(9, 4)
    .withInteger(body.bits >> 3, 4)
    .withSlice(body)
  if (maker.chance(0.85)) return push
  // With a value of its own, with a number of arguments, or with a saved c0 or c7.
  return maker.random.pick([
    codeBits('75').withBuilder(push).withBuilder(codeBits('ec1f')),
    push.withBuilder(codeBits('ec02')),
    codeBits('ed40').withBuilder(push).withBuilder(codeBits('ed60')),
    codeBits('ed47').withBuilder(push).withBuilder(codeBits('ed67')),
    push.withBuilder(codeBits('ede300')),
  ])
}

/** Code that pushes a value. */
const pushValue = (maker: ValueMaker, value: Value): Builder[] => {
  if (value === null) return [codeBits('6d')]
  if (typeof value === 'number' && Number.isNaN(value)) return [codeBits('83ff')]
  if (typeof value === 'number' || typeof value === 'bigint') return [pushNumber(BigInt(value))]
  if (value instanceof Cell) return [codeBits('88').withRef(value)]
  if (value instanceof Slice) return [codeBits('89').withRef(value.toCell())]
  if (value instanceof Builder) return [codeBits('c889').withRef(value.toCell()), codeBits('cf16')]
  if (value instanceof Continuation) return [pushContinuation(maker, value)]
  if (!isTuple(value)) return []
  const items = value.slice(0, 15)
  return [
    ...items.flatMap((item) => pushValue(maker, item)),
    Builder.empty.withInteger(0x6f0, 12).withInteger(items.length, 4),
  ]
}

const pushNumber = (value: bigint): Builder => {
  let length = 0
  while (BigInt.asIntN(8 * length + 19, value) !== value) length++
  const wide = 8 * length + 19
  const low = Number(BigInt.asUintN(19, value))
  let builder = Builder.empty.withInteger(0x82, 8).withInteger(length, 5)
  for (let k = length - 1; k >= 0; k--)
    builder = builder.withInteger(Number((BigInt.asUintN(wide, value) >> BigInt(19 + 8 * k)) & 255n), 8)
  return builder.withInteger(low, 19)
}

/** Puts parts of code into cells, each of which goes on with the next. */
const packCode = (maker: ValueMaker, parts: readonly Builder[]): Cell => {
  const cells: Builder[] = [Builder.empty]
  for (const part of parts) {
    const last = cells.at(-1)!
    const fits = last.bits + part.bits <= MAX_BUILDER_BITS && last.refs.length + part.refs.length <= 3
    if (fits && !maker.chance(0.03)) cells[cells.length - 1] = last.withBuilder(part)
    else cells.push(part)
  }
  let next: Cell | undefined
  for (const cell of cells.reverse())
    next = (next === undefined || cell.refs.length > 3 ? cell : cell.withRef(next)).toCell()
  return next!
}
