import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type ShardAccount = {
  /** The cell of the Account, whose hash transactions and proofs state; read it with `openAccount`. */
  readonly account: Cell
  readonly lastTransHash: Uint8Array
  readonly lastTransLt: bigint
}

/** account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount; */
export const readShardAccount = (r: CellReader): ShardAccount => ({
  account: r.readRefCell(),
  lastTransHash: r.readBytes(32),
  lastTransLt: r.readUint64(),
})

export const writeShardAccount = (w: CellWriter, { account, lastTransHash, lastTransLt }: ShardAccount): void => {
  w.writeRef(account).writeBytes(lastTransHash).writeUint64(lastTransLt)
}
