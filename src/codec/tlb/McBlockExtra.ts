import { type AugDict, type AugDictType, readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, readDict, writeDict } from '../cell/Dict.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type ShardIdent, shardIdentKey } from './BlockInfo.ts'
import { type CryptoSignaturePair, cryptoSignaturePairsType } from './BlockSignatures.ts'
import { addCurrency, readCurrencyCollection, writeCurrencyCollection, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { type ConfigParams, readConfigParams, writeConfigParams } from './config/configParams.ts'
import { record, type ValueOf } from './record.ts'
import { readShardHashes, type ShardHashes, writeShardHashes } from './ShardHashes.ts'

const currencies = { read: readCurrencyCollection, write: writeCurrencyCollection }

/** _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated; */
const shardFeeCreated = record({ fees: currencies, create: currencies })

export type ShardFeeCreated = ValueOf<typeof shardFeeCreated>

/** Fees collected and coins created by the blocks of each shard, with the sums over all shards. */
export type ShardFees = AugDict<ShardIdent, ShardFeeCreated, ShardFeeCreated>

/** _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees; */
export const shardFeesType: AugDictType<ShardIdent, ShardFeeCreated, ShardFeeCreated> = {
  key: shardIdentKey,
  value: shardFeeCreated,
  extra: {
    codec: shardFeeCreated,
    empty: { fees: ZERO_CURRENCY, create: ZERO_CURRENCY },
    combine: (left, right) => ({
      fees: addCurrency(left.fees, right.fees),
      create: addCurrency(left.create, right.create),
    }),
    ofLeaf: (value) => value,
  },
}

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
