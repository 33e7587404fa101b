import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, type OutAction as CoreAction, Cell as CoreCell, loadOutList, storeOutList } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { haveFixtures, listFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { Cell } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { extraCurrenciesType, NO_EXTRA_CURRENCIES } from './CurrencyCollection.ts'
import { readMessageRelaxed } from './Message.ts'
import { type OutAction, type OutList, readOutList, writeOutList } from './OutList.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

// A transfer of one gram without a source, as a contract makes it.
const message = fromCoreCell(
  beginCell().storeUint(0x10, 6).storeAddress(null).storeAddress(null).storeCoins(1_000_000_000n).endCell(),
)
const code = new CellWriter().writeUint(0xff00f4a4, 32).toCell()
const hash = new Uint8Array(32).map((_, k) => k)

const actions: OutList = [
  { kind: 'sendMessage', mode: 3, message },
  { kind: 'setCode', code },
  { kind: 'reserve', mode: 2, amount: { grams: 10n ** 18n, extra: NO_EXTRA_CURRENCIES } },
  { kind: 'reserve', mode: 0, amount: { grams: 0n, extra: Dict.of(extraCurrenciesType, [[7, 1n << 200n]]) } },
  { kind: 'changeLibrary', mode: 2, library: { kind: 'hash', hash } },
  { kind: 'changeLibrary', mode: 18, library: { kind: 'cell', library: code } },
]

test('the list on the wire is the last action, and a reference to the list before it', () => {
  const send = (list: CoreCell): CoreCell =>
    beginCell().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(64, 8).storeRef(toCoreCell(message)).endCell()
  const set = beginCell().storeRef(CoreCell.EMPTY).storeUint(0xad4de08e, 32).storeRef(toCoreCell(code)).endCell()
  const list: OutList = [
    { kind: 'setCode', code },
    { kind: 'sendMessage', mode: 64, message },
  ]
  const cell = writeWhole(writeOutList, list)
  assert.equal(toHex(cell.hash()), send(set).hash().toString('hex'))
  assert.deepEqual(toPlain(readWhole(cell, readOutList, 'A list')), toPlain(list))
  assert.deepEqual(readWhole(emptyCell, readOutList, 'A list'), [])
  assert.equal(toHex(writeWhole(writeOutList, []).hash()), toHex(emptyCell.hash()))
})

test('every kind of action agrees with @ton/core', () => {
  const cell = writeWhole(writeOutList, actions)
  assert.deepEqual(toPlain(readWhole(cell, readOutList, 'A list')), toPlain(actions))
  const core: CoreAction[] = [
    { type: 'setCode', newCode: toCoreCell(code) },
    { type: 'reserve', mode: 2, currency: { coins: 10n ** 18n } },
    { type: 'changeLibrary', mode: 2, libRef: { type: 'hash', libHash: Buffer.from(hash) } },
    { type: 'changeLibrary', mode: 18, libRef: { type: 'ref', library: toCoreCell(code) } },
  ]
  const shared = [actions[1]!, actions[2]!, ...actions.slice(4)]
  const theirs = beginCell().store(storeOutList(core)).endCell()
  assert.equal(toHex(writeWhole(writeOutList, shared).hash()), theirs.hash().toString('hex'))
  const kinds = loadOutList(toCoreCell(writeWhole(writeOutList, shared)).beginParse()).map(({ type }) => type)
  assert.deepEqual(kinds, ['setCode', 'reserve', 'changeLibrary', 'changeLibrary'])
})

test('a list of 255 actions is the longest', () => {
  const longest: OutAction[] = Array.from({ length: 255 }, (_, mode) => ({ kind: 'sendMessage', mode, message }))
  const cell = writeWhole(writeOutList, longest)
  assert.deepEqual(
    readWhole(cell, readOutList, 'A list').map((action) => action.kind === 'sendMessage' && action.mode),
    longest.map((_, mode) => mode),
  )
  assert.throws(() => writeWhole(writeOutList, [...longest, longest[0]!]), /at most 255 actions, this one has 256/)
  const longer = new CellWriter().writeRef(cell).writeUint(0xad4de08e, 32).writeRef(code).toCell()
  assert.throws(() => readWhole(longer, readOutList, 'A list'), /at most 255 actions, this one has more/)
})

test('unknown tags and leftovers are refused', () => {
  const list = new CellWriter().writeRef(emptyCell)
  assert.throws(() => readWhole(list.writeUint(0xad4de08f, 32).toCell(), readOutList, 'A list'), /got #ad4de08f/)
  const more = writeWhole(writeOutList, actions)
  const w = new CellWriter().writeRef(more).writeUint(0xad4de08e, 32).writeRef(code).writeBit(true)
  assert.throws(() => readWhole(w.toCell(), readOutList, 'A list'), CellError)
  const above = new CellWriter().writeRef(w.toCell()).writeUint(0xad4de08e, 32).writeRef(code).toCell()
  assert.throws(() => readWhole(above, readOutList, 'A list'), /An action should fill its cell, but 1 bits/)
})

test('spoilt lists are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  let refused = 0
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeOutList, actions)), ({ cell }) => {
      const passed = passesOrFailsCoded(() => {
        const list = readWhole(cell, readOutList, 'A list')
        assert.deepEqual(toPlain(readWhole(writeWhole(writeOutList, list), readOutList, 'A list')), toPlain(list))
      })
      if (!passed) refused++
    }),
    { seed, numRuns: 800 },
  )
  t.diagnostic(`${refused} of 800 refused`)
  assert.ok(refused > 100)
})

/** Cells that look like the top of a list: a reference, the tag and mode of a message, its reference. */
const findLists = (block: Cell): Cell[] => {
  const { arena } = block
  const found: Cell[] = []
  for (let i = 0; i < arena.count; i++) {
    const cell = new Cell(arena, i)
    if (cell.isExotic || cell.bits !== 40 || cell.refCount !== 2) continue
    if (openCell(cell).peekUint(32) === 0x0ec3c86d) found.push(cell)
  }
  return found
}

for (const [folder, least] of [
  ['localnet/blocks', 100],
  ['mainnet/blocks', 60],
] as const) {
  test(`the lists that wallets carry in ${folder} are read and written to the same hash`, (t) => {
    if (!haveFixtures(t, folder)) return
    let lists = 0
    for (const path of listFixtures(folder, '.boc')) {
      for (const cell of findLists(decodeSingleBoc(readFixture(path), { trusted: true }))) {
        const list = readWhole(cell, readOutList, 'A list')
        assert.equal(toHex(writeWhole(writeOutList, list).hash()), toHex(cell.hash()), path)
        for (const action of list) {
          if (action.kind === 'sendMessage') readWhole(action.message, readMessageRelaxed, 'A message')
        }
        lists++
      }
    }
    t.diagnostic(`${lists} lists`)
    assert.ok(lists >= least, `${lists}`)
  })
}
