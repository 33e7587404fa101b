import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import type { Definition, LayoutSet, Part, TypeExpression } from '../../src/contracts/layouts/definitions.ts'

type Scope = { readonly bound: ReadonlyMap<string, () => void>; readonly numbers: Map<string, number> }

/** Writes bodies that a layout describes, with random values, by another way than the readers go. */
export class RandomBodies {
  private readonly layouts: LayoutSet
  private readonly random: () => number
  private depth = 0
  private w = new CellWriter()

  /** `random` gives numbers from 0 up to 1, as `Math.random` does. */
  constructor(layouts: LayoutSet, random: () => number) {
    this.layouts = layouts
    this.random = random
  }

  write({ tag, parts }: Definition): Cell {
    this.depth = 0
    this.w = new CellWriter().writeUint(tag!.value, tag!.bits)
    this.writeParts(parts, new Map())
    return this.w.toCell()
  }

  private writeParts(parts: readonly Part[], bound: Scope['bound']): void {
    const scope: Scope = { bound, numbers: new Map() }
    parts.forEach((part, at) => {
      if (part.kind === 'constraint') return
      if (part.condition !== undefined) {
        const number = scope.numbers.get(part.condition.field) ?? 0
        if (part.condition.bit === undefined ? number === 0 : ((number >> part.condition.bit) & 1) === 0) return
      }
      const constraint = parts[at + 1]
      if (constraint?.kind === 'constraint') {
        this.writeNumber(part.type, constraint.value, part.name, scope)
      } else if (part.type.kind === 'named' && part.type.name === '##' && this.bitsOf(part.type, scope) <= 8) {
        this.writeNumber(part.type, Math.floor(this.random() * 3), part.name, scope)
      } else this.writeType(part.type, scope)
    })
  }

  /** A number that others depend on: small, and as its constraint wants it. */
  private writeNumber(type: TypeExpression, value: number, name: string, scope: Scope): void {
    this.w.writeUint(value, this.bitsOf(type, scope))
    scope.numbers.set(name, value)
  }

  private bitsOf(type: TypeExpression, scope: Scope): number {
    if (type.kind === 'number')
      return type.value.factor * (type.value.field === undefined ? 1 : (scope.numbers.get(type.value.field) ?? 0))
    if (type.kind === 'named' && type.name === '##') return this.bitsOf(type.arguments[0]!, scope)
    if (type.kind === 'named') return scope.numbers.get(type.name) ?? Number(/\d+$/.exec(type.name)?.[0])
    throw new Error('A number was expected.')
  }

  private inRef(write: () => void): void {
    const outer = this.w
    this.w = new CellWriter()
    this.depth++
    write()
    this.depth--
    outer.writeRef(this.w.toCell())
    this.w = outer
  }

  private writeType(type: TypeExpression, scope: Scope): void {
    if (type.kind === 'ref') {
      const { to } = type
      this.inRef(() => this.writeType(to, scope))
    } else if (type.kind === 'record') this.writeParts(type.parts, scope.bound)
    else if (type.kind === 'named') this.writeNamed(type, scope)
    else throw new Error('A type was expected.')
  }

  private writeNamed(type: Extract<TypeExpression, { kind: 'named' }>, scope: Scope): void {
    const bound = scope.bound.get(type.name)
    const defined = this.layouts.types.get(type.name)
    if (bound !== undefined) {
      bound()
      return
    }
    if (defined === undefined) {
      this.writeBuiltIn(type.name, type.arguments, scope)
      return
    }
    const given = new Map(
      defined.parameters.map((name, at) => [name, () => this.writeType(type.arguments[at]!, scope)]),
    )
    const short = [...defined.constructors].sort((a, b) => a.parts.length - b.parts.length)
    const choice = this.depth > 3 ? 0 : Math.floor(this.random() * short.length)
    const { tag, parts } = short[choice]!
    if (tag !== undefined) this.w.writeUint(tag.value, tag.bits)
    this.writeParts(parts, given)
  }

  private writeBuiltIn(name: string, given: readonly TypeExpression[], scope: Scope): void {
    const { w } = this
    const fixed = /^(uint|int|bits)(\d+)$/.exec(name)
    if (fixed !== null) {
      this.writeBits(Number(fixed[2]))
      return
    }
    const write: Record<string, () => void> = {
      '##': () => this.writeBits(this.bitsOf(given[0]!, scope)),
      bits: () => this.writeBits(this.bitsOf(given[0]!, scope)),
      Bool: () => w.writeBit(this.random() < 0.5),
      Coins: () => w.writeCoins(BigInt(Math.floor(this.random() * 1e6))),
      Grams: () => w.writeCoins(BigInt(Math.floor(this.random() * 1e6))),
      VarUint16: () => w.writeCoins(BigInt(Math.floor(this.random() * 1e6))),
      VarUInteger: () => w.writeVarUint(5n, this.bitsOf(given[0]!, scope) === 16 ? 4 : 5),
      MsgAddress: () => w.writeUint(0, 2),
      MsgAddressExt: () => w.writeUint(0, 2),
      MsgAddressInt: () => {
        w.writeUint(0b100, 3)
        this.writeBits(264)
      },
      SnakeString: () => w.writeBytes(new TextEncoder().encode('hé')),
      Text: () => w.writeUint(1, 8).writeUint(2, 8).writeUint(0x6869, 16),
      Cell: () => w.writeUint(5, 3),
      Any: () => w.writeUint(5, 3),
      MaybeCell: () => w.writeMaybeRef(this.random() < 0.2 && w.usedRefs === 0 ? emptyCell : undefined),
      EitherCell: () => w.writeBit(false),
      HashmapE: () => w.writeBit(false),
      Hashmap: () => {
        // One entry, its whole key in the label.
        const keyBits = this.bitsOf(given[0]!, scope)
        w.writeUint(0b110, 3).writeUint(keyBits, 32 - Math.clz32(keyBits))
        this.writeType(given[1]!, scope)
      },
      OutList: () => {
        w.writeRef(emptyCell).writeUint(0xad4de08e, 32).writeRef(emptyCell)
      },
      W5ExtendedActionList: () => w.writeUint(4, 8).writeBit(true),
    }
    const writer = write[name]
    if (writer === undefined) throw new Error(`The type ${name} cannot be written.`)
    writer()
  }

  private writeBits(bits: number): void {
    for (let left = bits; left > 0; left -= 24)
      this.w.writeUint(Math.floor(this.random() * 2 ** Math.min(left, 24)), Math.min(left, 24))
  }
}
