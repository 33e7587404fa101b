import { type AugDict, type AugDictType, readInlineAugDict, writeInlineAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { cellValue, hashKey, uint64Key } from '../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { addCurrency, type CurrencyCollection, currencyCollectionCodec, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { type HashUpdate, readHashUpdate, writeHashUpdate } from './HashUpdate.ts'
import { readTotalFees } from './Transaction.ts'

/** Transactions of one account in one block, by logical time, with their fees summed up. */
export type AccountTransactions = AugDict<bigint, Cell, CurrencyCollection>

/** HashmapAug 64 ^Transaction CurrencyCollection */
export const accountTransactionsType: AugDictType<bigint, Cell, CurrencyCollection> = {
  key: uint64Key,
  value: cellValue,
  extra: { codec: currencyCollectionCodec, empty: ZERO_CURRENCY, combine: addCurrency, ofLeaf: readTotalFees },
}

export type AccountBlock = {
  readonly accountAddr: Uint8Array
  readonly transactions: AccountTransactions
  readonly stateUpdate: HashUpdate
}

/**
 * acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 *   state_update:^(HASH_UPDATE Account) = AccountBlock;
 */
export const readAccountBlock = (r: CellReader): AccountBlock => {
  r.expectTag(0x5, 4)
  return {
    accountAddr: r.readBytes(32),
    transactions: readInlineAugDict(r, accountTransactionsType),
    stateUpdate: readWholeRef(r, readHashUpdate, 'A hash update'),
  }
}

export const writeAccountBlock = (w: CellWriter, { accountAddr, transactions, stateUpdate }: AccountBlock): void => {
  w.writeUint(0x5, 4).writeBytes(accountAddr)
  writeInlineAugDict(w, transactions)
  w.writeRef(writeWhole(writeHashUpdate, stateUpdate))
}

/** ShardAccountBlocks: account blocks by account id, with all their fees summed up. */
export type AccountBlocks = AugDict<Uint8Array, AccountBlock, CurrencyCollection>

/** _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks; */
export const accountBlocksType: AugDictType<Uint8Array, AccountBlock, CurrencyCollection> = {
  key: hashKey,
  value: { read: readAccountBlock, write: writeAccountBlock },
  extra: {
    codec: currencyCollectionCodec,
    empty: ZERO_CURRENCY,
    combine: addCurrency,
    ofLeaf: (block) => block.transactions.rootExtra,
  },
}
