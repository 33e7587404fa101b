import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleBlock } from '../../../test/support/sampleBlock.ts'
import { tinyBlock } from '../../../test/support/tinyBlock.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { Cell } from '../cell/Cell.ts'
import { openRaw } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { readMerkleUpdate, rewriteTree } from '../cell/merkle.ts'
import { openAccountBlocks, openBlock, openBlockExtra, openValueFlow } from './Block.ts'
import { openBlockInfo, openPrevRef } from './BlockInfo.ts'
import { type InMsg, importFeesOf, openInMsg, openInMsgDescr } from './InMsgDescr.ts'
import { openMcBlockExtra } from './McBlockExtra.ts'
import { openMsgEnvelope } from './MsgEnvelope.ts'
import { exportedValueOf, type OutMsg, openOutMsgDescr } from './OutMsgDescr.ts'
import { listShards } from './ShardHashes.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const rule = { ihrFeeCounts: false }

const readEnvelopes = (msg: InMsg | OutMsg): void => {
  if ('inMsg' in msg) openMsgEnvelope(msg.inMsg)
  if ('outMsg' in msg) openMsgEnvelope(msg.outMsg)
}

/** Reads all there is in a block, and returns how many things that were. */
const readAll = (root: Cell): number => {
  const block = openBlock(root)
  const info = openBlockInfo(block.info)
  let count = openPrevRef(info).length
  openValueFlow(block.valueFlow)
  readMerkleUpdate(block.stateUpdate)
  const extra = openBlockExtra(block.extra)
  openInMsgDescr(extra.inMsgDescr).forEach((_, msg) => {
    readEnvelopes(msg)
    importFeesOf(msg, rule)
    count++
  })
  openOutMsgDescr(extra.outMsgDescr).forEach((_, msg) => {
    readEnvelopes(msg)
    exportedValueOf(msg, rule)
    count++
  })
  count += openAccountBlocks(extra).entries().length
  if (extra.custom === undefined) return count
  const { shardHashes, shardFees, prevBlkSignatures, recoverCreateMsg, mintMsg, config } = openMcBlockExtra(
    extra.custom,
  )
  for (const cell of [recoverCreateMsg, mintMsg]) if (cell !== undefined) openInMsg(cell)
  count += listShards(shardHashes).length + shardFees.entries().length
  return count + prevBlkSignatures.entries().length + (config?.config.entries().length ?? 0)
}

const listCells = (root: Cell): Cell[] => {
  const cells: Cell[] = []
  rewriteTree(root, 0, (cell) => {
    cells.push(cell)
    return undefined
  })
  return cells
}

type Damage = { readonly kind: 'flip' | 'cut' | 'grow' | 'drop' | 'swap'; readonly at: number; readonly other: number }

const damageCell = (cell: Cell, cells: readonly Cell[], { kind, at, other }: Damage): Cell => {
  const r = openRaw(cell)
  const bits = Array.from({ length: cell.bits }, () => r.readBit())
  const refs = Array.from({ length: cell.refCount }, (_, k) => cell.ref(k))
  if (kind === 'flip' && bits.length > 0) bits[at % bits.length] = !bits[at % bits.length]
  if (kind === 'cut') bits.length = at % (bits.length + 1)
  if (kind === 'grow') while (bits.length < 1023 && bits.length < (at % 1023) + 1) bits.push(other % 2 === 1)
  if (kind === 'drop' && refs.length > 0) refs.splice(at % refs.length, 1)
  if (kind === 'swap' && refs.length > 0) refs[at % refs.length] = cells[other % cells.length]!
  const w = new CellWriter()
  for (const bit of bits) w.writeBit(bit)
  for (const ref of refs) w.writeRef(ref)
  return cell.isExotic ? w.toExoticCell() : w.toCell()
}

const blocks = [sampleBlock, decodeSingleBoc(tinyBlock)].map((root) => ({ root, cells: listCells(root) }))

test('the blocks that are damaged here can be read while they are whole', () => {
  assert.deepEqual(
    blocks.map(({ root }) => readAll(root)),
    [1 + 5 + 4 + 3 + 2 + 1 + 2, 1],
  )
})

test('a block with a damaged cell is read or refused with our error, and nothing else happens', (t) => {
  t.diagnostic(`seed ${seed}`)
  let refused = 0
  let runs = 0
  const damage = fc.record({
    kind: fc.constantFrom<Damage['kind']>('flip', 'cut', 'grow', 'drop', 'swap'),
    at: fc.nat(1 << 20),
    other: fc.nat(1 << 20),
  })
  fc.assert(
    fc.property(fc.nat(blocks.length - 1), fc.nat(1 << 20), damage, (which, place, how) => {
      const { root, cells } = blocks[which]!
      const target = cells[place % cells.length]!
      runs++
      try {
        const damaged = damageCell(target, cells, how)
        const broken = rewriteTree(root, 0, (cell) => (cell.equals(target) ? damaged : undefined))
        readAll(broken)
        broken.hash()
      } catch (error) {
        assert.ok(error instanceof CodedError, `${error}`)
        refused++
      }
    }),
    { seed, numRuns: 3000 },
  )
  t.diagnostic(`${refused} of ${runs} damaged blocks were refused`)
  assert.ok(refused > runs / 4)
})
