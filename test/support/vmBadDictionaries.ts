import type { Cell } from '../../src/codec/cell/Cell.ts'
import { buildCell } from '../../src/codec/cell/CellWriter.ts'
import { LIBRARY_REFERENCE } from '../../src/codec/cell/exotic.ts'
import { Builder } from '../../src/tvm/machine/values.ts'
import type { Random } from './vmPrograms.ts'

/** An entry of a dictionary: its key as text of zeros and ones. */
export type BitEntry = { readonly key: string; readonly value: Builder }

/** A hash or a number as bits. */
export const bitsOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')

/** Dictionaries as contracts may write them: labels in any form, and nodes that are none. */
export class BadDictMaker {
  private readonly random: Random
  /** The share of nodes that are malformed. */
  private readonly share: number

  constructor(random: Random, share: number) {
    this.random = random
    this.share = share
  }

  make(entries: readonly BitEntry[]): Cell | undefined {
    const sorted = [...new Map(entries.map((entry) => [entry.key, entry])).values()]
    sorted.sort((a, b) => (a.key < b.key ? -1 : 1))
    return sorted.length === 0 ? undefined : this.node(sorted, 0)
  }

  private node(entries: readonly BitEntry[], at: number): Cell {
    const { random } = this
    const isBad = random.next() < this.share
    if (isBad && random.below(8) === 0) return exoticCell()
    const { key, value } = entries[0]!
    const last = entries.at(-1)!.key
    let end = at
    while (end < key.length && key[end] === last[end]) end++
    const label = this.label(key.slice(at, end), key.length - at)
    if (end === key.length) {
      const leaf = label.withBuilder(value)
      if (!isBad) return leaf.toCell()
      switch (random.below(4)) {
        case 0:
          return leaf.hasRoom(7) ? leaf.withInteger(0x55, 7).toCell() : leaf.toCell()
        case 1:
          return leaf.hasRoom(0, 1) ? leaf.withRef(Builder.empty.toCell()).toCell() : leaf.toCell()
        case 2:
          return cut(leaf, random.below(leaf.bits)).toCell()
        default:
          return label.toCell()
      }
    }
    const split = entries.findIndex((entry) => entry.key[end] === '1')
    const fork = label
      .withRef(this.node(entries.slice(0, split), end + 1))
      .withRef(this.node(entries.slice(split), end + 1))
    if (!isBad) return fork.toCell()
    switch (random.below(3)) {
      case 0:
        return fork.withInteger(1, 1).toCell()
      case 1:
        return fork.withRef(Builder.empty.toCell()).toCell()
      default:
        return label.withRef(fork.refs[0]!).toCell()
    }
  }

  /** Mostly in the shortest form. */
  private label(bits: string, max: number): Builder {
    const { random } = this
    const { length } = bits
    const size = 32 - Math.clz32(max)
    const isSame = length > 0 && !bits.includes(bits[0] === '0' ? '1' : '0')
    const forms = ['short', 'long', ...(isSame ? ['same'] : [])].map((form) => ({
      form,
      cost: cost(form, length, size),
    }))
    forms.sort((a, b) => a.cost - b.cost)
    const usable = forms.filter((form) => form.cost < 700)
    const { form } = random.next() < 0.85 ? usable[0]! : random.pick(usable)
    if (form === 'same') return Builder.empty.withInteger(6 + Number(bits[0]), 3).withInteger(length, size)
    const head =
      form === 'long'
        ? Builder.empty.withInteger(2, 2).withInteger(length, size)
        : Builder.empty.withInteger(0, 1).withSame(1, length).withInteger(0, 1)
    return [...bits].reduce((to, bit) => to.withInteger(Number(bit), 1), head)
  }
}

const cost = (form: string, length: number, size: number): number =>
  form === 'same' ? 3 + size : form === 'long' ? 2 + size + length : 2 + 2 * length

const cut = (builder: Builder, bits: number): Builder => Builder.empty.withBits(builder.bytes, 0, bits)

/** A reference to a library that nobody has. */
const exoticCell = (): Cell => {
  const bytes = new Uint8Array(33).fill(0x2a)
  bytes[0] = LIBRARY_REFERENCE
  return buildCell(bytes, 264, [], 8)
}
