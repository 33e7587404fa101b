import type { AugDict, AugDictType } from '../cell/AugDict.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import type { ValueCodec } from '../cell/dictTypes.ts'
import {
  addCurrency,
  type CurrencyCollection,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'
import { type ShardIdent, shardIdentKey } from './ShardIdent.ts'

export type ShardFeeCreated = { readonly fees: CurrencyCollection; readonly create: CurrencyCollection }

/** What the blocks of each shard collected and created, with the sums over all shards. */
export type ShardFees = AugDict<ShardIdent, ShardFeeCreated, ShardFeeCreated>

/** _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated; */
export const readShardFeeCreated = (r: CellReader): ShardFeeCreated => ({
  fees: readCurrencyCollection(r),
  create: readCurrencyCollection(r),
})

export const writeShardFeeCreated = (w: CellWriter, { fees, create }: ShardFeeCreated): void => {
  writeCurrencyCollection(w, fees)
  writeCurrencyCollection(w, create)
}

const shardFeeCreatedCodec: ValueCodec<ShardFeeCreated> = { read: readShardFeeCreated, write: writeShardFeeCreated }

/** _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees; */
export const shardFeesType: AugDictType<ShardIdent, ShardFeeCreated, ShardFeeCreated> = {
  key: shardIdentKey,
  value: shardFeeCreatedCodec,
  extra: {
    codec: shardFeeCreatedCodec,
    empty: { fees: ZERO_CURRENCY, create: ZERO_CURRENCY },
    combine: (left, right) => ({
      fees: addCurrency(left.fees, right.fees),
      create: addCurrency(left.create, right.create),
    }),
    ofLeaf: (value) => value,
  },
}
