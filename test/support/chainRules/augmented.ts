import type { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { Cell } from '../../../src/codec/cell/Cell.ts'
import { type DictRoot, openRoot, readLabel, setKeyBit } from '../../../src/codec/cell/dictNodes.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { Findings } from './Findings.ts'

/** What every node of a dictionary has to say of the leaves below it. `E` is how it is written, `S` how it is reckoned. */
export type Sums<K, V, E, S> = {
  stated(extra: E): S
  leaf(value: V, key: K): S
  fork(left: S, right: S): S
  readonly empty: S
  format(sum: S): string
}

/** Recomputes what every node of the dictionary sums up. Nodes in `known` were right before, and so is all below them. */
export const checkSums = <K, V, E, S>(
  rule: string,
  dict: AugDict<K, V, E>,
  sums: Sums<K, V, E, S>,
  findings: Findings,
  known: Set<string> = new Set(),
): void => {
  const { key, value, extra } = dict.type
  const compare = (where: string, found: S, expected: S): void =>
    findings.equal(`sums of ${rule}, ${where}`, sums.format(found), sums.format(expected))
  const bits = new Uint8Array((key.bits + 7) >> 3)
  /** What a node states, once it is known to be right for the leaves below. */
  const node = (root: DictRoot, at: number): S => {
    const name = root instanceof Cell ? `${rule}:${at}:${toHex(root.hash())}` : ''
    const r = openRoot(root)
    const end = at + readLabel(r, key.bits - at, bits, at)
    const children = end === key.bits ? undefined : ([r.readRefCell(), r.readRefCell()] as const)
    const stated = sums.stated(extra.codec.read(r))
    if (known.has(name)) return stated
    if (name !== '') known.add(name)
    if (children === undefined) {
      compare(`entry ${toHex(bits)}`, stated, sums.leaf(value.read(r), key.decode(bits)))
      return stated
    }
    const below = children.map((child, side) => {
      setKeyBit(bits, end, side)
      return node(child, end + 1)
    })
    compare(`a fork at bit ${end}`, stated, sums.fork(below[0]!, below[1]!))
    return stated
  }
  const whole = dict.root === undefined ? sums.empty : node(dict.root, 0)
  compare('the whole', sums.stated(dict.rootExtra), whole)
}
