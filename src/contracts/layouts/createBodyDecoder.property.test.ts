import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { builtInLayouts } from './builtInLayouts.ts'
import { createBodyDecoder } from './createBodyDecoder.ts'
import { DecodeBudget } from './DecodedValue.ts'

const decoder = createBodyDecoder()
const opcodes = [...builtInLayouts().messages.keys()]

type Tree = {
  readonly head: number | undefined
  readonly bits: Uint8Array
  readonly cut: number
  readonly below: Tree[]
}

const treeOf = (levels: number): fc.Arbitrary<Tree> =>
  fc.record({
    head: fc.option(fc.constantFrom(...opcodes), { nil: undefined }),
    bits: fc.oneof(
      fc.uint8Array({ maxLength: 120 }),
      fc.nat(120).map((length) => new Uint8Array(length)),
    ),
    cut: fc.nat(7),
    below: levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 4 }),
  })

const tree = treeOf(3)

const toCell = ({ head, bits, cut, below }: Tree): Cell => {
  const w = new CellWriter()
  if (head !== undefined) w.writeUint(head, 32)
  w.writeBits(bits, Math.max(0, 8 * bits.length - cut))
  for (const child of below) w.writeRef(toCell(child))
  return w.toCell()
}

test('no cell makes decoding throw, and what comes out is JSON', () => {
  fc.assert(
    fc.property(tree, (shape) => {
      const decoded = decoder.decode(toCell(shape))
      if (decoded === undefined) return
      assert.deepEqual(JSON.parse(JSON.stringify(decoded)), decoded)
      assert.equal(typeof decoded['@type'], 'string')
    }),
    { numRuns: 3000 },
  )
})

/** Tells what a body took. */
class CountedBudget extends DecodeBudget {
  cost = { text: 0, steps: 0 }

  constructor() {
    super({ text: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY })
  }

  override take({ text, steps }: { text: number; steps: number }): void {
    this.cost = { text, steps }
  }
}

test('what is counted of a body is about what its JSON takes', () => {
  fc.assert(
    fc.property(tree, (shape) => {
      const budget = new CountedBudget()
      const decoded = decoder.decode(toCell(shape), budget)
      if (decoded === undefined) return
      const { length } = JSON.stringify(decoded)
      const { text } = budget.cost
      assert.ok(text > 0.9 * length - 30 && text < 1.5 * length + 30, `${text} counted, ${length} long`)
    }),
    { numRuns: 3000 },
  )
})

test('every opcode stands random bits and any cut of them', () => {
  fc.assert(
    fc.property(fc.constantFrom(...opcodes), fc.uint8Array({ maxLength: 110 }), fc.nat(4), (opcode, bits, refs) => {
      const w = new CellWriter().writeUint(opcode, 32).writeBytes(bits)
      for (let k = 0; k < refs; k++) w.writeRef(k % 2 === 0 ? emptyCell : new CellWriter().writeBytes(bits).toCell())
      const decoded = decoder.decode(w.toCell())
      if (decoded !== undefined) assert.equal(typeof decoded['@type'], 'string')
    }),
    { numRuns: 3000 },
  )
})
