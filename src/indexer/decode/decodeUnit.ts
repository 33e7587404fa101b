import { masterchain as masterchainNumber } from '../../primitives/BlockId.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { RawUnit } from '../RawUnit.ts'
import { type BlockParts, naming, openBlockParts } from './BlockParts.ts'
import { ByteShelf } from './ByteShelf.ts'
import { toBlockRow, toShardTopRow } from './blockRow.ts'
import { digestRows } from './digest.ts'
import { BlockUndecodableError } from './errors.ts'
import type { FoundTransaction } from './FoundTransaction.ts'
import { compareTransactions, findTransactions } from './findTransactions.ts'
import { openAccounts, type PackedAccounts } from './PackedAccounts.ts'
import { packTouchedAccounts } from './touchedAccounts.ts'
import { UnitBuilder } from './UnitBuilder.ts'
import type { WatchedAccounts } from './WatchedAccounts.ts'

export type DecodeOptions = {
  /**
   * The global version in force (parameter 8 of the configuration): from 12 on, messages have extra flags where they had the fee
   * for instant routing. Where it is not given, that of the software which made the masterchain block stands for it: networks
   * take a version into force soon after their software has it, and the fee was zero on all of them.
   */
  readonly globalVersion?: number | undefined
  /** Where it is given, only their transactions are kept, with the messages they sent or received. Blocks are kept in any case. */
  readonly watched?: WatchedAccounts | undefined
  /**
   * Makes the hash of every transaction. Otherwise it is taken from where the block itself states it, in the next transaction of the
   * account or in the state after it: nobody can change that in a block whose own hash is right.
   */
  readonly hashesAnew?: boolean
}

const EXTRA_FLAGS_SINCE = 12

/** A unit as it crosses threads. */
export type PackedUnit = Omit<DecodedUnit, 'accounts'> & { readonly accounts: PackedAccounts }

export const openUnit = (unit: PackedUnit): DecodedUnit => ({ ...unit, accounts: openAccounts(unit.accounts) })

/** All that the blocks of a unit tell by themselves. The bytes must have been checked against their ids. */
export const decodeUnit = (unit: RawUnit, options: DecodeOptions = {}): DecodedUnit =>
  openUnit(decodePacked(unit, options))

/** The same, to be handed to another thread. */
export const decodePacked = (
  unit: RawUnit,
  { globalVersion, watched, hashesAnew = false }: DecodeOptions,
): PackedUnit => {
  const { seqno, masterchain, shards, tops } = unit
  const blocks: BlockParts[] = []
  const found: FoundTransaction[] = []
  const blockRows = [masterchain, ...shards].map((raw) =>
    naming(
      () => raw.id,
      () => {
        const block = openBlockParts(raw)
        const count = findTransactions(block, found, watched)
        blocks.push(block)
        return toBlockRow(block, seqno, count)
      },
    ),
  )
  found.sort(compareTransactions)
  const { info, id } = blocks[0]!
  if (id.workchain !== masterchainNumber) throw new BlockUndecodableError(id, 'it is not one of the masterchain.')
  const version = globalVersion ?? info.genSoftware?.version ?? 0
  const shelf = new ByteShelf()
  const facts = { seqno, hasExtraFlags: version >= EXTRA_FLAGS_SINCE, hashesAnew, watched }
  const rows = buildRows(found, new UnitBuilder(facts, found.length, shelf))
  const shardTops = tops.map((top) => toShardTopRow(top, seqno))
  return {
    seqno,
    genUtime: info.genUtime,
    rootHash: masterchain.id.rootHash.slice(),
    isKeyBlock: info.keyBlock,
    blocks: blockRows,
    previousBlocks: blocks.map(({ previous }) => previous),
    shardTops,
    ...rows,
    accounts: packTouchedAccounts(found, rows.transactions.hashes),
    digest: digestRows({ blocks: blockRows, shardTops, ...rows }),
  }
}

const buildRows = (found: readonly FoundTransaction[], builder: UnitBuilder): ReturnType<UnitBuilder['take']> => {
  let k = 0
  const addAll = (): void => {
    while (k < found.length) builder.add(found[k++]!)
  }
  // One call for all of them: the block is looked up only for the one that fails.
  naming(() => found[k - 1]!.block.id, addAll)
  return builder.take()
}
