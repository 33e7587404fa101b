import { readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, readDict, writeDict } from '../cell/Dict.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type ConfigParams, readConfigParams, writeConfigParams } from './ConfigParams.ts'
import { type CryptoSignaturePair, cryptoSignaturePairsType } from './CryptoSignature.ts'
import { type ShardFees, shardFeesType } from './ShardFees.ts'
import { readShardHashes, type ShardHashes, writeShardHashes } from './ShardHashes.ts'

export type McBlockExtra = {
  readonly shardHashes: ShardHashes
  readonly shardFees: ShardFees
  /** By their number, from 0 on. */
  readonly prevBlkSignatures: Dict<number, CryptoSignaturePair>
  /** InMsg of the message that pays out collected fees. No OutMsg belongs to it. */
  readonly recoverCreateMsg: Cell | undefined
  /** InMsg of the message that hands out new extra currencies. No OutMsg belongs to it. */
  readonly mintMsg: Cell | undefined
  /** The new configuration: key blocks have it, and no others. */
  readonly config: ConfigParams | undefined
}

/**
 * masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 *   config:key_block?ConfigParams = McBlockExtra;
 */
export const readMcBlockExtra = (r: CellReader): McBlockExtra => {
  r.expectTag(0xcca5, 16)
  const keyBlock = r.readBit()
  const shardHashes = readShardHashes(r)
  const shardFees = readAugDict(r, shardFeesType)
  const inner = r.readRef()
  const prevBlkSignatures = readDict(inner, cryptoSignaturePairsType)
  const recoverCreateMsg = inner.readMaybeRefCell()
  const mintMsg = inner.readMaybeRefCell()
  inner.expectEnd('The signatures and special messages of a masterchain block')
  return {
    shardHashes,
    shardFees,
    prevBlkSignatures,
    recoverCreateMsg,
    mintMsg,
    config: keyBlock ? readConfigParams(r) : undefined,
  }
}

export const writeMcBlockExtra = (w: CellWriter, extra: McBlockExtra): void => {
  w.writeUint(0xcca5, 16).writeBit(extra.config !== undefined)
  writeShardHashes(w, extra.shardHashes)
  writeAugDict(w, extra.shardFees)
  const inner = new CellWriter()
  writeDict(inner, extra.prevBlkSignatures)
  w.writeRef(inner.writeMaybeRef(extra.recoverCreateMsg).writeMaybeRef(extra.mintMsg).toCell())
  if (extra.config !== undefined) writeConfigParams(w, extra.config)
}

export const openMcBlockExtra = (cell: Cell): McBlockExtra => readWhole(cell, readMcBlockExtra, 'A McBlockExtra')
